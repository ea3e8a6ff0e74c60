import { useTranslation } from 'react-i18next';
import { useProperty } from '@/api/queries/use-property';
import type { Addable, Plan, PlanDetail, Property } from '@/api/types';
import { formatMoney } from '@/i18n/format';
import { Form } from '@/shared/forms/Form';
import { usePayForm } from '@/shared/forms/use-pay-form';
import { useSessionText } from '@/shared/forms/use-session-text';
import { usePayment } from '@/shared/money/use-payment';
import { useNavigate } from '@/shared/navigation/use-navigate';
import { Button } from '@/ui/controls/Button';
import { Facts } from '@/ui/display/Facts';
import { addDecimals, compareDecimals, subtractDecimals } from '@/ui/money/decimal';
import { TransactionPasswordDialog } from '@/ui/pin/TransactionPasswordDialog';
import { BudgetField } from '../put/BudgetField';
import { Forecast } from '../put/Forecast';
import styles from '../put/PutForm.module.css';
import { PasswordNext, PutNotices } from '../put/PutNotices';
import { checkPut, useShowWhileTyping } from '../put/put-check';
import type { Price } from '../put/put-price';

type Props = { plan: PlanDetail; addable: Addable; onDone: () => void };

/** A form for the amount, with what it pays for and its result, and then for the password. */
export function AddBudgetForm({ plan, addable, onDone }: Props) {
  const { t } = useTranslation();
  const limits = { min: formatMoney(addable.min), max: formatMoney(addable.max) };
  const form = useAddBudgetForm({ plan, addable, limits, onDone });
  const { amount, property } = form;
  const agreed = { ...plan.product, put_rule: plan.put_rule, payout: plan.payout };
  return (
    <Form {...form.props} className={styles.form}>
      <p className="intro">{t('plans.addition.intro')}</p>
      <BudgetField
        field={form.amountField}
        min={addable.min}
        max={addable.max}
        property={property}
        tooDear={form.tooDear}
      />
      <Forecast price={form.price} loading={false} product={agreed} />
      <Result plan={plan} price={form.price} property={property} />
      <PutNotices error={form.failure} limits={limits} unanswered={false} />
      {form.noPassword && <PasswordNext />}
      <div className={styles.submit} data-bottom>
        <Button type="submit">
          {t(form.noPassword ? 'ui.waySetPassword' : 'plans.addition.title')}
        </Button>
      </div>
      <TransactionPasswordDialog {...form.dialog}>
        <div className={styles.confirmed}>
          <p>{t('plans.addition.confirm', { name: plan.product.name })}</p>
          <strong>{formatMoney(amount || '0')}</strong>
        </div>
      </TransactionPasswordDialog>
    </Form>
  );
}

type ResultProps = { plan: PlanDetail; price: Price | null; property: Property | undefined };

/** The amount that will be held, and the budget and balance afterwards. */
function Result({ plan, price, property }: ResultProps) {
  const { t } = useTranslation();
  const amount = price?.budget ?? '0';
  const facts = [
    { label: t('plans.heldNow'), value: formatMoney(amount), hint: t('plans.heldHint') },
    {
      label: t('plans.addition.budgetAfter'),
      value: formatMoney(addDecimals(plan.put_amount, amount)),
    },
    property &&
      price?.affordable && {
        label: t('plans.availableAfter'),
        value: formatMoney(subtractDecimals(property.available, amount)),
      },
  ];
  return <Facts facts={facts} />;
}

/**
 * The price of an addition. All of it is the user's own money, and the fee is the one that was
 * agreed for the plan.
 */
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

function useAddBudgetForm({ plan, addable, limits, onDone }: Options) {
  const property = useProperty().data;
  // Additions use only the user's own money, and need a plan that runs.
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
    // The transaction password is set only when it is needed. The typed amount is kept, and the
    // form is open again afterwards.
    beforePassword: (ask) => (noPassword ? navigate('/wallet/set-password') : ask()),
    pay: async (password) => {
      await addition.mutateAsync({ id: plan.id, amount, password });
      onDone();
    },
  });
  return { ...form, property, price, noPassword, tooDear: problem === 'balance' };
}
