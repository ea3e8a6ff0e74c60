import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '@/api/errors';
import type { RechargeAnnouncement } from '@/api/types';
import { formatDate, formatDateTime, formatMoney } from '@/i18n/format';
import { Button } from '@/ui/controls/Button';
import { showToast } from '@/ui/feedback/toast-store';
import { ConfirmDialog } from '@/ui/layers/ConfirmDialog';
import { AmountText } from '@/ui/money/AmountText';
import { useWithdrawAnnouncement } from './mutations';
import styles from './RechargePage.module.css';

type Props = { announcement: RechargeAnnouncement };

/** A payment that was announced: what it waits for, and how to take it back. */
export function AnnouncementRow({ announcement }: Props) {
  const { t } = useTranslation();
  const { amount, label, waits_for: waitsFor, announced_at: at, lapses_at: until } = announcement;
  return (
    <div className={styles.row}>
      <AmountText amount={amount} />
      <span className={styles.to}>{label}</span>
      <time className={styles.at} dateTime={at}>
        {formatDateTime(at)}
      </time>
      {waitsFor && <p className={styles.waits}>{t(`wallet.payIn.waits.${waitsFor}`)}</p>}
      <p className={styles.hint}>{t('wallet.payIn.lapses', { date: formatDate(until) })}</p>
      <Withdraw announcement={announcement} />
    </div>
  );
}

function Withdraw({ announcement }: Props) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  const withdraw = useWithdrawAnnouncement();
  const money = formatMoney(announcement.amount);
  const confirm = async () => {
    try {
      await withdraw.mutateAsync(announcement.id);
      showToast(t('wallet.payIn.withdrawn'), 'success');
    } catch (error) {
      // Credited meanwhile: the page, asked again, says so too. Other failures report themselves.
      const late = error instanceof ApiError && error.error === 'already_decided';
      if (late) showToast(t('wallet.payIn.withdrawTooLate'), 'failure');
    } finally {
      setAsking(false);
    }
  };
  return (
    <div className={styles.withdraw}>
      <Button
        size="small"
        variant="secondary"
        aria-label={`${t('wallet.payIn.withdraw')}: ${money}`}
        onClick={() => setAsking(true)}
      >
        {t('wallet.payIn.withdraw')}
      </Button>
      <ConfirmDialog
        open={asking}
        title={t('wallet.payIn.withdrawTitle')}
        confirmLabel={t('wallet.payIn.withdraw')}
        danger
        busy={withdraw.isPending}
        onConfirm={confirm}
        onClose={() => setAsking(false)}
      >
        <p>{t('wallet.payIn.withdrawText', { amount: money })}</p>
      </ConfirmDialog>
    </div>
  );
}
