import { useTranslation } from 'react-i18next';
import type { SignedInDevice } from '@/api/types';
import { formatDateTime } from '@/i18n/format';
import { Button } from '@/ui/controls/Button';
import { IconDisc } from '@/ui/display/IconDisc';
import { StatusTag } from '@/ui/display/StatusTag';
import { deviceName } from './device-name';
import styles from './SessionRow.module.css';

type Props = { device: SignedInDevice; ending: boolean; onEnd: () => void };

export function SessionRow({ device, ending, onEnd }: Props) {
  const { t } = useTranslation();
  const { operator, reason } = device;
  const name = operator ? t('me.sessions.staff', { operator }) : deviceName(device.device, t);
  return (
    <div className={styles.row}>
      <IconDisc name="device" />
      <div className={styles.text}>
        <p className={styles.name}>{name}</p>
        {operator && (
          <p className={styles.time}>{t('me.sessions.staffReason', { reason: reason ?? '' })}</p>
        )}
        <p className={styles.time}>
          {t('me.sessions.begun', { time: formatDateTime(device.created_at) })}
        </p>
        {device.current ? (
          <StatusTag tone="positive">{t('me.sessions.current')}</StatusTag>
        ) : operator ? null : (
          <p className={styles.time}>
            {t('me.sessions.seen', { time: formatDateTime(device.last_seen) })}
          </p>
        )}
      </div>
      {!device.current && (
        <Button
          variant="secondary"
          size="small"
          loading={ending}
          aria-label={t('me.sessions.endOne', { name })}
          onClick={onEnd}
        >
          {t('me.sessions.end')}
        </Button>
      )}
    </div>
  );
}
