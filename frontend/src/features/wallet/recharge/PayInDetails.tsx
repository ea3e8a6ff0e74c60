import { useTranslation } from 'react-i18next';
import type { PayInAccount } from '@/api/types';
import { CopyRow } from '@/ui/controls/CopyRow';
import { Notice } from '@/ui/feedback/Notice';
import { groupByFour, looksLikeIban } from './groups';
import styles from './RechargePage.module.css';

type Props = { account: PayInAccount; reference: string };

/** What to enter at one's bank, each to be copied. A wallet's payment has no text for a reference. */
export function PayInDetails({ account, reference }: Props) {
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
