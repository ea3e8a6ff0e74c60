import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Property } from '@/api/types';
import { formatMoney } from '@/i18n/format';
import { Form } from '@/shared/forms/Form';
import { usePayForm } from '@/shared/forms/use-pay-form';
import { useSessionText } from '@/shared/forms/use-session-text';
import { amountProblem } from '@/shared/money/amount-problem';
import { PasswordFirst } from '@/shared/money/PasswordFirst';
import { RefusalNotice } from '@/shared/money/RefusalNotice';
import { usePayment } from '@/shared/money/use-payment';
import { Button } from '@/ui/controls/Button';
import { Tabs } from '@/ui/controls/Tabs';
import { Card } from '@/ui/display/Card';
import { Facts } from '@/ui/display/Facts';
import { showToast } from '@/ui/feedback/toast-store';
import { addDecimals, subtractDecimals } from '@/ui/money/decimal';
import { TransactionPasswordDialog } from '@/ui/pin/TransactionPasswordDialog';
import { PayField } from '../PayField';
import styles from './DepositPage.module.css';

type Direction = 'pay' | 'return';

type Props = { property: Property };

/** Paying in or taking back, with the resulting balances shown before the password is requested. */
export function DepositForm({ property }: Props) {
  const { t } = useTranslation();
  const [direction, setDirection] = useState<Direction>('pay');
  const amountState = useSessionText('deposit');
  const [amount] = amountState;
  const deposit = usePayment(`/user/deposit/${direction}`);

  // A deposit comes from available funds and returns there.
  const most = direction === 'pay' ? property.available : property.deposit;
  const problem = amountProblem(
    amount,
    most,
    direction === 'pay' ? 'wallet.problem.balance' : 'wallet.problem.deposit',
  );
  const form = usePayForm({
    amountState,
    problem,
    pay: async (password) => {
      await deposit.mutateAsync({ amount, password });
      showToast(t(`wallet.depositDone.${direction}`), 'success');
    },
  });
  return (
    <Card>
      <Tabs
        label={t('wallet.deposit')}
        tabs={[
          { key: 'pay', label: t('wallet.depositPay') },
          { key: 'return', label: t('wallet.depositReturn') },
        ]}
        value={direction}
        onChange={(next: Direction) => {
          setDirection(next);
          form.clear();
        }}
      >
        <Form {...form.props} className={styles.form}>
          <PayField
            field={form.amountField}
            text={t(direction === 'pay' ? 'wallet.availableNow' : 'wallet.depositHeld', {
              amount: formatMoney(most),
            })}
            take={t('wallet.all')}
            most={most}
          />
          <After direction={direction} amount={problem ? '0' : amount} property={property} />
          {!property.pay_password_set && <PasswordFirst />}
          <RefusalNotice error={form.failure} />
          <Button type="submit" disabled={!property.pay_password_set}>
            {t(direction === 'pay' ? 'wallet.depositPay' : 'wallet.depositReturn')}
          </Button>
        </Form>
      </Tabs>
      <TransactionPasswordDialog {...form.dialog}>
        <p>
          {t(`wallet.depositConfirm.${direction}`, { amount: formatMoney(problem ? '0' : amount) })}
        </p>
      </TransactionPasswordDialog>
    </Card>
  );
}

type AfterProps = Props & { direction: Direction; amount: string };

function After({ direction, amount, property }: AfterProps) {
  const { t } = useTranslation();
  const [from, to] =
    direction === 'pay'
      ? [property.available, property.deposit]
      : [property.deposit, property.available];
  const less = formatMoney(subtractDecimals(from, amount));
  const more = formatMoney(addDecimals(to, amount));
  return (
    <Facts
      facts={[
        { label: t('wallet.availableAfter'), value: direction === 'pay' ? less : more },
        { label: t('wallet.depositAfter'), value: direction === 'pay' ? more : less },
      ]}
    />
  );
}
