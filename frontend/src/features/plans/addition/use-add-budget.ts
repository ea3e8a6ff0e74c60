import { useState } from 'react';
import { useProperty } from '@/api/queries/use-property';
import type { Addable, Plan } from '@/api/types';
import { useKept } from '@/shared/forms/use-kept';
import { useNavigate } from '@/shared/navigation/use-navigate';
import { compareDecimals } from '@/ui/money/decimal';
import { useDebounced } from '@/ui/use-debounced';
import { useAddBudget } from '../mutations';
import { checkPut, isPlain, typingMs } from '../put/put-check';
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

export function useAddBudgetForm(plan: Plan, addable: Addable, onDone: () => void) {
  const property = useProperty().data;
  const addition = useAddBudget(plan.id);
  const navigate = useNavigate();
  const [amount, setAmount] = useKept(`addition ${plan.id}`);
  const [checked, setChecked] = useState(false);
  /** Counts the presses that were refused here. */
  const [refused, setRefused] = useState(0);
  const [asking, setAsking] = useState(false);

  const bounds = { min_put: addable.min, max_put: addable.max };
  const inRange = checkPut(amount, bounds, null) === null;
  const affordable = !property || !inRange || compareDecimals(amount, property.available) <= 0;
  const price = inRange ? ownPrice(amount, plan.fee_rate, affordable) : null;
  const problem = checkPut(amount, bounds, price);
  const paused = useDebounced(amount, typingMs) === amount;
  const told = problem && (checked || isPlain(problem, amount, bounds, paused)) ? problem : null;
  const noPassword = property?.pay_password_set === false;

  const submit = () => {
    if (problem) {
      setChecked(true);
      setRefused((before) => before + 1);
      return;
    }
    // Asked for only now; what was typed is kept, and the form is open again afterwards.
    if (noPassword) void navigate('/wallet/set-password');
    else setAsking(true);
  };
  const confirm = async (password: string) => {
    await addition.mutateAsync({ amount, password });
    setAmount('');
    onDone();
  };
  return {
    property,
    amount,
    price,
    problem: told,
    refused,
    noPassword,
    asking,
    error: addition.error,
    submit,
    confirm,
    cancel: () => setAsking(false),
    setAmount: (value: string) => {
      setAmount(value);
      setChecked(false);
      addition.reset();
    },
  };
}
