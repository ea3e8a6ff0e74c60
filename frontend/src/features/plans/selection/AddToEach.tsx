import { useTranslation } from 'react-i18next';
import { useProperty } from '@/api/queries/use-property';
import type { ListedPlan } from '@/api/types';
import { formatCount, formatMoney } from '@/i18n/format';
import { Form } from '@/shared/forms/Form';
import { usePayForm } from '@/shared/forms/use-pay-form';
import { useSessionText } from '@/shared/forms/use-session-text';
import { useNavigate } from '@/shared/navigation/use-navigate';
import { Button } from '@/ui/controls/Button';
import { Facts } from '@/ui/display/Facts';
import { Sheet } from '@/ui/layers/Sheet';
import { AmountField } from '@/ui/money/AmountField';
import { addDecimals, compareDecimals, isPositive } from '@/ui/money/decimal';
import { TransactionPasswordDialog } from '@/ui/pin/TransactionPasswordDialog';
import { isRunning } from '../plan-status';
import { PasswordNext, TooDear } from '../put/PutNotices';
import styles from './AddToEach.module.css';

type Paid = { amount: string; password: string };
type Props = {
  plans: readonly ListedPlan[];
  onClose: () => void;
  /** Begins with it; the bar then shows how far it is. */
  onAdd: (paid: Paid) => void;
};

/** A form that adds the same amount to each of the selected plans, with one password for all. */
export function AddToEach({ onClose, ...form }: Props) {
  const { t } = useTranslation();
  return (
    <Sheet open onClose={onClose} title={t('plans.addition.title')}>
      <AddForm {...form} />
    </Sheet>
  );
}

function AddForm({ plans, onAdd }: Pick<Props, 'plans' | 'onAdd'>) {
  const { t } = useTranslation();
  const { sum, taking, property, noPassword, tooDear, ...form } = useAddForm(plans, onAdd);
  const facts = [
    {
      label: t('plans.selection.plans'),
      value: formatCount(taking),
      hint: taking < plans.length ? t('plans.selection.plansHint') : undefined,
    },
    { label: t('plans.selection.sum'), value: formatMoney(sum) },
  ];
  return (
    <Form {...form.props}>
      <p className="intro">{t('plans.addition.intro')}</p>
      <AmountField
        label={t('plans.selection.each')}
        {...form.amountField}
        hint={property && t('plans.available', { amount: formatMoney(property.available) })}
      />
      {tooDear && <TooDear />}
      <Facts facts={facts} />
      {noPassword && <PasswordNext />}
      <Button type="submit">{t(noPassword ? 'ui.waySetPassword' : 'plans.addition.title')}</Button>
      <TransactionPasswordDialog {...form.dialog}>
        <div className={styles.confirmed}>
          <p>{t('plans.selection.confirm')}</p>
          <strong>
            {formatCount(taking)} × {formatMoney(form.amount || '0')} = {formatMoney(sum)}
          </strong>
        </div>
      </TransactionPasswordDialog>
    </Form>
  );
}

function useAddForm(plans: readonly ListedPlan[], onAdd: Props['onAdd']) {
  const property = useProperty().data;
  const navigate = useNavigate();
  const amountState = useSessionText('addition to each');
  const amount = amountState[0] || '0';
  const taking = plans.filter(isRunning);
  const sum = taking.reduce((before) => addDecimals(before, amount), '0');
  const tooDear = property !== undefined && compareDecimals(sum, property.available) > 0;
  const noPassword = property?.pay_password_set === false;
  const problem = tooDear ? 'balance' : isPositive(amount) ? null : 'required';
  const form = usePayForm({
    amountState,
    problem: problem && `plans.problem.${problem}`,
    showWhileTyping: tooDear,
    // The transaction password is set only when it is needed. The typed amount is kept, and the
    // form is open again afterwards.
    beforePassword: (ask) => (noPassword ? navigate('/wallet/set-password') : ask()),
    // The form does not wait for the additions, which may take long and outlive it.
    pay: async (password) => onAdd({ amount, password }),
  });
  return { ...form, sum, taking: taking.length, property, noPassword, tooDear };
}
