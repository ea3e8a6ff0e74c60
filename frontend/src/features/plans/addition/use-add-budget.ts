import { useProperty } from '@/api/queries/use-property';
import type { Addable, Plan } from '@/api/types';
import { usePayForm } from '@/shared/forms/use-pay-form';
import { useSessionText } from '@/shared/forms/use-session-text';
import { usePayment } from '@/shared/money/use-payment';
import { useNavigate } from '@/shared/navigation/use-navigate';
import { compareDecimals } from '@/ui/money/decimal';
import { checkPut, useShowWhileTyping } from '../put/put-check';
import type { Price } from '../put/put-price';

/** All of it is the user's own money, and the fee is the one agreed for the plan. */
function ownPrice(amount: string, feeRate: string, affordable: boolean): Price {
  return {
    coupon: null,
    couponPays: '0',
    promotionalPays: '0',
    availablePays: amount,
    budget: amount,
    feeRate,
    listFeeRate: feeRate,
    affordable,
  };
}

type Options = {
  plan: Plan;
  addable: Addable;
  limits: { min: string; max: string };
  onDone: () => void;
};

export function useAddBudgetForm({ plan, addable, limits, onDone }: Options) {
  const property = useProperty().data;
  // One's own money, for a plan that runs.
  const addition = usePayment('/plan/order/add_budget');
  const navigate = useNavigate();
  const amountState = useSessionText(`addition ${plan.id}`);
  const [amount] = amountState;

  const bounds = { min_put: addable.min, max_put: addable.max };
  const inRange = checkPut(amount, bounds, null) === null;
  const affordable = !property || !inRange || compareDecimals(amount, property.available) <= 0;
  const price = inRange ? ownPrice(amount, plan.fee_rate, affordable) : null;
  const problem = checkPut(amount, bounds, price);
  const showWhileTyping = useShowWhileTyping(problem, amount, bounds);
  const noPassword = property?.pay_password_set === false;

  const form = usePayForm({
    amountState,
    problem: problem && `plans.problem.${problem}`,
    terms: limits,
    showWhileTyping,
    // Asked for only now; what was typed is kept, and the form is open again afterwards.
    beforePassword: (ask) => (noPassword ? navigate('/wallet/set-password') : ask()),
    pay: async (password) => {
      await addition.mutateAsync({ id: plan.id, amount, password });
      onDone();
    },
  });
  return { ...form, property, price, noPassword, tooDear: problem === 'balance' };
}
