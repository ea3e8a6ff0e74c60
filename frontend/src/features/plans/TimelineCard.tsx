import { useTranslation } from 'react-i18next';
import type { PlanDetail } from '@/api/types';
import { formatDateTime } from '@/i18n/format';
import { Card } from '@/ui/Card';
import { knownReason } from './plan-status';
import styles from './TimelineCard.module.css';

/** Every status with its time and reason, the latest first. */
export function TimelineCard({ plan }: { plan: PlanDetail }) {
  const { t } = useTranslation();
  const steps = [...plan.timeline].sort((a, b) => b.at.localeCompare(a.at));
  return (
    <Card title={t('plans.timeline')}>
      <ol className={styles.steps}>
        {steps.map(({ status, reason, at }) => {
          const known = knownReason(reason);
          return (
            <li key={`${status} ${at}`} className={styles.step}>
              <span className={styles.status}>{t(`plans.status.${status}`)}</span>
              {known && <span className={styles.reason}>{t(`plans.reason.${known}`)}</span>}
              <time className={styles.time} dateTime={at}>
                {formatDateTime(at)}
              </time>
            </li>
          );
        })}
      </ol>
    </Card>
  );
}
