import { useTranslation } from 'react-i18next';
import type { RechargeAnnouncement } from '@/api/types';
import { formatDate, formatDateTime, formatMoney } from '@/i18n/format';
import { AmountText } from '@/ui/money/AmountText';
import { TakeBack } from '../TakeBack';
import styles from './RechargePage.module.css';

/** A payment that was announced: what it waits for, and how to take it back. */
export function AnnouncementRow({ announcement }: { announcement: RechargeAnnouncement }) {
  const { t } = useTranslation();
  const { amount, label, waits_for: waitsFor, announced_at: at, lapses_at: until } = announcement;
  const money = formatMoney(amount);
  return (
    <div className={styles.row}>
      <AmountText amount={amount} />
      <span className={styles.to}>{label}</span>
      <time className={styles.at} dateTime={at}>
        {formatDateTime(at)}
      </time>
      {waitsFor && <p className={styles.waits}>{t(`wallet.payIn.waits.${waitsFor}`)}</p>}
      <p className={styles.hint}>{t('wallet.recharges.until', { date: formatDate(until) })}</p>
      <div className={styles.withdraw}>
        <TakeBack
          path="/user/recharge/announce/cancel"
          id={announcement.id}
          texts={{
            action: t('wallet.payIn.withdraw'),
            name: `${t('wallet.payIn.withdraw')}: ${money}`,
            title: t('wallet.payIn.withdrawTitle'),
            done: t('wallet.payIn.withdrawn'),
            tooLate: t('wallet.payIn.withdrawTooLate'),
          }}
        >
          {t('wallet.payIn.withdrawText', { amount: money })}
        </TakeBack>
      </div>
    </div>
  );
}
