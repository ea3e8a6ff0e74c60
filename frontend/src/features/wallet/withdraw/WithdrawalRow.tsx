import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '@/api/errors';
import type { Withdrawal } from '@/api/types';
import { formatDateTime, formatMoney } from '@/i18n/format';
import { Button } from '@/ui/controls/Button';
import { StatusTag } from '@/ui/display/StatusTag';
import { showToast } from '@/ui/feedback/toast-store';
import { ConfirmDialog } from '@/ui/layers/ConfirmDialog';
import { AmountText } from '@/ui/money/AmountText';
import { useCancelWithdrawal } from '../mutations';
import styles from './WithdrawPage.module.css';
import { withdrawalTones } from './withdrawal-tones';

type Props = { withdrawal: Withdrawal };

/** One withdrawal: how far it has come, and how to take it back. */
export function WithdrawalRow({ withdrawal }: Props) {
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
      {status === 'pending' && <Cancel withdrawal={withdrawal} />}
    </div>
  );
}

function Cancel({ withdrawal }: Props) {
  const { t } = useTranslation();
  const cancel = useCancelWithdrawal();
  const [asking, setAsking] = useState(false);
  const confirm = async () => {
    try {
      await cancel.mutateAsync(withdrawal.id);
      showToast(t('wallet.cancelled'), 'success');
    } catch (error) {
      // Approved meanwhile: the list, fetched again, says so too. Other failures report themselves.
      const late = error instanceof ApiError && error.error === 'already_decided';
      if (late) showToast(t('wallet.cancelTooLate'), 'failure');
    } finally {
      setAsking(false);
    }
  };
  return (
    <div className={styles.cancel}>
      <Button size="small" variant="secondary" onClick={() => setAsking(true)}>
        {t('wallet.cancelWithdrawal')}
      </Button>
      <ConfirmDialog
        open={asking}
        title={t('wallet.cancelTitle')}
        confirmLabel={t('wallet.cancelWithdrawal')}
        danger
        busy={cancel.isPending}
        onConfirm={confirm}
        onClose={() => setAsking(false)}
      >
        <p>{t('wallet.cancelText', { amount: formatMoney(withdrawal.amount) })}</p>
      </ConfirmDialog>
    </div>
  );
}
