import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { BankCard, Currency, Property, Withdrawal } from '@/api/types';
import { formatMoney, formatPercent } from '@/i18n/format';
import { useKept } from '@/shared/forms/use-kept';
import { HoldNotice } from '@/shared/money/HoldNotice';
import { RefusalNotice } from '@/shared/money/RefusalNotice';
import { StartupNotice } from '@/shared/money/StartupNotice';
import { Button } from '@/ui/controls/Button';
import { Card } from '@/ui/display/Card';
import { Facts } from '@/ui/display/Facts';
import { AmountField } from '@/ui/money/AmountField';
import { AvailableHint } from '@/ui/money/AvailableHint';
import { isPositive, shareOf, subtractDecimals } from '@/ui/money/decimal';
import { TransactionPasswordDialog } from '@/ui/pin/TransactionPasswordDialog';
import { maskedNumber, placeOf } from '../card/bank-card.schema';
import { useWithdraw } from '../mutations';
import { PasswordFirst } from '../PasswordFirst';
import { ArrivesText } from './ArrivesText';
import styles from './WithdrawPage.module.css';
import { checkWithdraw } from './withdraw-check';

type Props = {
  property: Property;
  card: BankCard;
  feeRate: string;
  currency: Currency;
  onDone: (withdrawal: Withdrawal) => void;
};

export function WithdrawForm({ property, card, feeRate, currency, onDone }: Props) {
  const { t } = useTranslation();
  const withdraw = useWithdraw();
  const [amount, setAmount] = useKept('withdraw');
  const [checked, setChecked] = useState(false);
  const [asking, setAsking] = useState(false);

  const { available } = property;
  const money = (value: string) => formatMoney(value, currency);
  const problem = checkWithdraw(amount, available);
  const typed = amount !== '' && isPositive(amount) ? amount : '0';
  const fee = shareOf(typed, feeRate, currency.decimals);
  const blocked =
    !property.pay_password_set ||
    Boolean(property.payouts_held_until) ||
    isPositive(property.startup_outstanding);
  const change = (value: string) => {
    setAmount(value);
    setChecked(false);
    withdraw.reset();
  };
  const submit = () => {
    setChecked(true);
    if (!problem && !blocked) setAsking(true);
  };
  return (
    <>
      <HoldNotice property={property} />
      <StartupNotice property={property} currency={currency} />
      <Card>
        <form
          className={styles.form}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            submit();
          }}
        >
          <AmountField
            label={t('wallet.withdrawAmount')}
            value={amount}
            onChange={change}
            currency={currency}
            error={checked && problem ? t(`wallet.problem.${problem}`) : null}
            hint={
              <AvailableHint
                text={t('wallet.availableNow', { amount: money(available) })}
                take={t('wallet.all')}
                amount={available}
                onTake={change}
              />
            }
          />
          <Facts
            facts={[
              {
                label: t('wallet.paidTo'),
                value: maskedNumber(card),
                hint: placeOf(card),
              },
              { label: t('wallet.fee', { percent: formatPercent(feeRate) }), value: money(fee) },
              {
                label: t('wallet.receive'),
                value: money(subtractDecimals(typed, fee, currency.decimals)),
              },
            ]}
          />
          <ArrivesText />
          {!property.pay_password_set && <PasswordFirst />}
          <RefusalNotice error={withdraw.error} />
          <Button type="submit" disabled={blocked}>
            {t('wallet.withdraw')}
          </Button>
        </form>
      </Card>
      <TransactionPasswordDialog
        open={asking}
        onClose={() => setAsking(false)}
        onConfirm={async (password) => {
          const withdrawal = await withdraw.mutateAsync({ amount, password });
          setAmount('');
          onDone(withdrawal);
        }}
      >
        <p className={styles.confirmed}>
          {t('wallet.confirmWithdraw', { number: maskedNumber(card) })}
          <strong>{money(typed)}</strong>
          {t('wallet.confirmFee', { fee: money(fee), percent: formatPercent(feeRate) })}
        </p>
      </TransactionPasswordDialog>
    </>
  );
}
