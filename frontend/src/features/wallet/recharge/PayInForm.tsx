import { useTranslation } from 'react-i18next';
import type { PayInAccount, RechargeForm } from '@/api/types';
import { Form } from '@/shared/forms/Form';
import { useForm } from '@/shared/forms/use-form';
import { useSessionText } from '@/shared/forms/use-session-text';
import { amountProblem } from '@/shared/money/amount-problem';
import { RefusalNotice } from '@/shared/money/RefusalNotice';
import { usePayment } from '@/shared/money/use-payment';
import { Button } from '@/ui/controls/Button';
import { CopyRow } from '@/ui/controls/CopyRow';
import { Notice } from '@/ui/feedback/Notice';
import { showToast } from '@/ui/feedback/toast-store';
import { RadioList } from '@/ui/form/RadioList';
import { AmountField } from '@/ui/money/AmountField';
import { groupByFour, looksLikeIban } from './groups';
import styles from './RechargePage.module.css';

/** How much, where to and with which reference; then that it is paid. */
export function PayInForm({ form }: { form: RechargeForm }) {
  const { t } = useTranslation();
  const [amount, setAmount, clear] = useSessionText('pay-in');
  const [chosen, setChosen] = useSessionText('pay-in to');
  // An announcement moves no money: staff credit what the bank reports.
  const announce = usePayment('/user/recharge/announce');

  const { accounts, announcements, most_open: mostOpen, reference } = form;
  const account = accounts.find(({ id }) => id === chosen) ?? accounts[0];
  const pay = useForm({
    state: [{ amount }, (next) => setAmount(next.amount)],
    problems: { amount: amountProblem(amount, null) },
    send: async () => {
      if (!account) return;
      await announce.mutateAsync({ amount, account: account.id });
      clear(amount);
      showToast(t('wallet.payIn.announced'), 'success');
    },
  });
  if (!account) return null;
  return (
    <Form {...pay.props} className={styles.form}>
      <AmountField label={t('wallet.withdrawAmount')} {...pay.field('amount')} />
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
      <RefusalNotice error={pay.failure} />
      {announcements.length >= mostOpen && <Notice>{t('wallet.payIn.full')}</Notice>}
      <Button type="submit" loading={pay.busy} disabled={announcements.length >= mostOpen}>
        {t('wallet.payIn.paid')}
      </Button>
    </Form>
  );
}

type Props = { account: PayInAccount; reference: string };

/**
 * The details to enter at one's bank, each with a copy button. A payment from a crypto wallet has
 * no field for a reference.
 */
function PayInDetails({ account, reference }: Props) {
  const { t } = useTranslation();
  const { beneficiary, network, bank, bic, note } = account;
  const row = (label: string, text: string | null, shown?: string) =>
    text && (
      <CopyRow
        label={label}
        text={text}
        shown={shown}
        copies={t('wallet.payIn.copy', { what: label })}
      />
    );
  const number = network ? t('wallet.field.address') : t('wallet.field.bank_account');
  return (
    <div className={styles.details}>
      {note && <Notice tone="warning">{note}</Notice>}
      {row(
        number,
        account.account,
        looksLikeIban(account.account) ? groupByFour(account.account) : undefined,
      )}
      {row(t('wallet.field.network'), network)}
      {row(t('wallet.payIn.beneficiary'), beneficiary)}
      {row(t('wallet.field.bank_name'), bank)}
      {row(t('wallet.payIn.bic'), bic)}
      {!network && (
        <>
          {row(t('wallet.payIn.reference'), reference, groupByFour(reference))}
          <p className={styles.hint}>{t('wallet.payIn.referenceHint')}</p>
        </>
      )}
    </div>
  );
}
