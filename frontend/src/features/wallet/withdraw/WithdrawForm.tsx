import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { BankCard, Property, Withdrawal } from '@/api/types';
import { formatMoney, formatPercent, formatSpan } from '@/i18n/format';
import { Form } from '@/shared/forms/Form';
import { usePayForm } from '@/shared/forms/use-pay-form';
import { useSessionText } from '@/shared/forms/use-session-text';
import { amountProblem } from '@/shared/money/amount-problem';
import { HoldNotice } from '@/shared/money/HoldNotice';
import { PasswordFirst } from '@/shared/money/PasswordFirst';
import { RefusalNotice } from '@/shared/money/RefusalNotice';
import { StartupNotice } from '@/shared/money/StartupNotice';
import { usePayment } from '@/shared/money/use-payment';
import { Button } from '@/ui/controls/Button';
import { Card } from '@/ui/display/Card';
import { Facts } from '@/ui/display/Facts';
import { isPositive, shareOf, subtractDecimals } from '@/ui/money/decimal';
import { TransactionPasswordDialog } from '@/ui/pin/TransactionPasswordDialog';
import { maskedNumber, placeOf } from '../card/bank-card.schema';
import { PayField } from '../PayField';
import { paceQuery } from '../queries';
import styles from './WithdrawPage.module.css';

type Props = {
  property: Property;
  card: BankCard;
  feeRate: string;
  onDone: (withdrawal: Withdrawal) => void;
};

export function WithdrawForm({ property, card, feeRate, onDone }: Props) {
  const { t } = useTranslation();
  const withdraw = usePayment('/user/withdraw');
  const amountState = useSessionText('withdraw');
  const [amount] = amountState;

  const { available } = property;
  const typed = amount !== '' && isPositive(amount) ? amount : '0';
  const fee = shareOf(typed, feeRate);
  const blocked =
    !property.pay_password_set ||
    Boolean(property.payouts_held_until) ||
    isPositive(property.startup_outstanding);
  const form = usePayForm({
    amountState,
    problem: amountProblem(amount, available),
    beforePassword: (ask) => !blocked && ask(),
    pay: async (password) => onDone(await withdraw.mutateAsync({ amount, password })),
  });
  return (
    <>
      <HoldNotice property={property} />
      <StartupNotice property={property} />
      <Card>
        <Form {...form.props} className={styles.form}>
          <PayField
            field={form.amountField}
            text={t('wallet.availableNow', { amount: formatMoney(available) })}
            take={t('wallet.all')}
            most={available}
          />
          <Facts
            facts={[
              { label: t('wallet.paidTo'), value: maskedNumber(card), hint: placeOf(card) },
              {
                label: t('wallet.fee', { percent: formatPercent(feeRate) }),
                value: formatMoney(fee),
              },
              { label: t('wallet.receive'), value: formatMoney(subtractDecimals(typed, fee)) },
            ]}
          />
          <ArrivesText />
          {!property.pay_password_set && <PasswordFirst />}
          <RefusalNotice error={form.failure} />
          <Button type="submit" disabled={blocked}>
            {t('wallet.withdraw')}
          </Button>
        </Form>
      </Card>
      <TransactionPasswordDialog {...form.dialog}>
        <p className={styles.confirmed}>
          {t('wallet.confirmWithdraw', { number: maskedNumber(card) })}
          <strong>{formatMoney(typed)}</strong>
          {t('wallet.confirmFee', { fee: formatMoney(fee), percent: formatPercent(feeRate) })}
        </p>
      </TransactionPasswordDialog>
    </>
  );
}

/** When a withdrawal arrives, as far as the latest ones tell. Nothing is promised. */
function ArrivesText() {
  const { t } = useTranslation();
  const { data: pace } = useQuery(paceQuery);
  if (!pace) return null;
  const { half_within: half, all_within: all } = pace;
  return (
    <p className={styles.reason}>
      {half === null || all === null
        ? t('wallet.arrivesUnknown')
        : t('wallet.arrives', { half: formatSpan(half), all: formatSpan(all) })}
    </p>
  );
}
