import { useTranslation } from 'react-i18next';
import type { PlanEventDetail } from '@/api/types';
import { formatDate, formatTime } from '@/i18n/format';
import { MenuRow } from '@/ui/controls/MenuRow';
import { Card } from '@/ui/display/Card';
import styles from './EventPage.module.css';
import { eventPath } from './event-query';

const icons = { impression: 'eye', viewable: 'eye', click: 'device', conversion: 'star' } as const;

/** The view, the click and the conversions of the same ad, shown once to one visitor. */
export function RelatedCard({ event, plan }: { event: PlanEventDetail; plan: string }) {
  const { t } = useTranslation();
  return (
    <Card title={t('plans.events.related')}>
      <div className={styles.rows}>
        {event.related.map(({ kind, id, time }) => (
          <MenuRow
            key={`${kind} ${id}`}
            icon={icons[kind]}
            label={t(`plans.events.kind.${kind}`)}
            hint={`${formatDate(time)}, ${formatTime(time)}`}
            to={eventPath({ plan, kind, id })}
          />
        ))}
      </div>
    </Card>
  );
}
