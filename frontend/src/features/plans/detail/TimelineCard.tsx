import { useTranslation } from 'react-i18next';
import type { PlanDetail } from '@/api/types';
import { formatDateTime } from '@/i18n/format';
import { Card } from '@/ui/display/Card';
import { Timeline } from '@/ui/lists/Timeline';
import { reasonText } from '../plan-status';
import styles from './TimelineCard.module.css';

/** Every status with its time and reason, the latest first. */
export function TimelineCard({ plan }: { plan: PlanDetail }) {
  const { t } = useTranslation();
  const steps = [...plan.timeline].sort((a, b) => b.at.localeCompare(a.at));
  return (
    <Card title={t('plans.timeline')}>
      <Timeline
        label={t('plans.timeline')}
        steps={steps.map(({ status, reason, at }, age) => {
          const text = reasonText({ ...plan, reason, paused: plan.paused && age === 0 }, t);
          return {
            key: `${status} ${at}`,
            content: (
              <>
                <span className={styles.status}>{t(`plans.status.${status}`)}</span>
                {text && <span className={styles.reason}>{text}</span>}
                <time className={styles.time} dateTime={at}>
                  {formatDateTime(at)}
                </time>
              </>
            ),
          };
        })}
      />
    </Card>
  );
}
