import { useTranslation } from 'react-i18next';
import type { Withdrawal } from '@/api/types';
import { formatDateTime, formatMoney } from '@/i18n/format';
import { StatusTag } from '@/ui/display/StatusTag';
import { AmountText } from '@/ui/money/AmountText';
import { TakeBack } from '../TakeBack';
import styles from './WithdrawPage.module.css';
import { withdrawalTones } from './withdrawal-tones';

/** One withdrawal: how far it has come, and how to take it back. */
export function WithdrawalRow({ withdrawal }: { withdrawal: Withdrawal }) {
  const { t } = useTranslation();
  const { amount, status, requested_at: at, decided_at: decided, reason } = withdrawal;
  return (
    <div className={styles.row}>
      <AmountText amount={amount} />
      <StatusTag tone={withdrawalTones[status]}>{t(`wallet.withdrawal.${status}`)}</StatusTag>
      <time dateTime={at}>{formatDateTime(at)}</time>
      {status === 'paid' && decided && (
        <p className={styles.reason}>{t('wallet.paidOn', { date: formatDateTime(decided) })}</p>
      )}
      {status === 'approved' && <p className={styles.reason}>{t('wallet.paidNext')}</p>}
      {reason && <p className={styles.reason}>{t('wallet.reason', { reason })}</p>}
      {status === 'pending' && (
        <div className={styles.cancel}>
          <TakeBack
            path="/user/withdraw/cancel"
            id={withdrawal.id}
            texts={{
              action: t('wallet.cancelWithdrawal'),
              title: t('wallet.cancelTitle'),
              done: t('wallet.cancelled'),
              tooLate: t('wallet.cancelTooLate'),
            }}
          >
            {t('wallet.cancelText', { amount: formatMoney(amount) })}
          </TakeBack>
        </div>
      )}
    </div>
  );
}
