import { useTranslation } from 'react-i18next';
import type { Recharge } from '@/api/types';
import { formatDate, formatDateTime } from '@/i18n/format';
import { CopyButton } from '@/ui/controls/CopyButton';
import { StatusTag, type Tone } from '@/ui/display/StatusTag';
import { AmountText } from '@/ui/money/AmountText';
import styles from './RechargePage.module.css';

const tones: Record<Recharge['status'], Tone> = {
  requested: 'warning',
  approved: 'positive',
  rejected: 'negative',
  expired: 'neutral',
};

type Props = { recharge: Recharge; hidden?: boolean };

export function RechargeRow({ recharge, hidden = false }: Props) {
  const { t } = useTranslation();
  const { amount, status, reference, requested_at: at, expires_at: until } = recharge;
  return (
    <div className={styles.row}>
      <AmountText amount={amount} hidden={hidden} />
      <StatusTag tone={tones[status]}>{t(`wallet.recharges.status.${status}`)}</StatusTag>
      <time dateTime={at}>{formatDateTime(at)}</time>
      {reference && (
        <p className={styles.reference}>
          <span>
            {t('wallet.recharges.reference')} <strong>{reference}</strong>
          </span>
          <CopyButton text={reference} label={t('wallet.recharges.copy', { reference })} />
        </p>
      )}
      {status === 'requested' && (
        <p className={styles.hint}>{t('wallet.recharges.until', { date: formatDate(until) })}</p>
      )}
    </div>
  );
}
