import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Currency, RechargeForm } from '@/api/types';
import { useKept } from '@/shared/forms/use-kept';
import { RefusalNotice } from '@/shared/money/RefusalNotice';
import { Button } from '@/ui/controls/Button';
import { Notice } from '@/ui/feedback/Notice';
import { showToast } from '@/ui/feedback/toast-store';
import { RadioList } from '@/ui/form/RadioList';
import { AmountField } from '@/ui/money/AmountField';
import { isPositive } from '@/ui/money/decimal';
import { useAnnounce } from './mutations';
import { PayInDetails } from './PayInDetails';
import styles from './RechargePage.module.css';

type Props = { form: RechargeForm; currency: Currency };

/** How much, where to and with which reference; then that it is paid. */
export function PayInForm({ form, currency }: Props) {
  const { t } = useTranslation();
  const [amount, setAmount] = useKept('pay-in');
  const [chosen, setChosen] = useState('');
  const [checked, setChecked] = useState(false);
  const announce = useAnnounce();

  const { accounts, announcements, most_open: mostOpen, reference } = form;
  const account = accounts.find(({ id }) => id === chosen) ?? accounts[0];
  const problem = problemOf(amount);
  if (!account) return null;
  const change = (value: string) => {
    setAmount(value);
    setChecked(false);
    announce.reset();
  };
  const submit = async () => {
    setChecked(true);
    if (problem || announce.isPending) return;
    try {
      await announce.mutateAsync({ amount, account: account.id });
      change('');
      showToast(t('wallet.payIn.announced'), 'success');
    } catch {
      // Shown above the button, or reported where the call was made.
    }
  };
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <AmountField
        label={t('wallet.withdrawAmount')}
        value={amount}
        onChange={change}
        currency={currency}
        error={checked && problem ? t(`wallet.problem.${problem}`) : null}
      />
      {accounts.length > 1 && (
        <RadioList
          legend={t('wallet.payIn.to')}
          options={accounts.map(({ id, label }) => ({ value: id, content: label }))}
          value={account.id}
          onChange={setChosen}
        />
      )}
      {accounts.length === 1 && <p className={styles.only}>{account.label}</p>}
      <PayInDetails account={account} reference={reference} />
      <RefusalNotice error={announce.error} />
      {announcements.length >= mostOpen && <Notice>{t('wallet.payIn.full')}</Notice>}
      <Button
        type="submit"
        loading={announce.isPending}
        disabled={announcements.length >= mostOpen}
      >
        {t('wallet.payIn.paid')}
      </Button>
    </form>
  );
}

function problemOf(amount: string): 'required' | 'zero' | null {
  if (amount === '') return 'required';
  return isPositive(amount) ? null : 'zero';
}
