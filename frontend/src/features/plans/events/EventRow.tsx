import { useTranslation } from 'react-i18next';
import type { PlanEvent } from '@/api/types';
import { formatPrice, formatTime } from '@/i18n/format';
import { classNames } from '@/ui/class-names';
import { Link } from '@/ui/controls/Link';
import { Icon } from '@/ui/display/Icon';
import styles from './EventRow.module.css';
import { deviceName, notCountedReason, placeName } from './event-names';
import { eventPath } from './event-query';

/** One event: when, where, on what, in which form, what it cost, and why if it does not count. */
export function EventRow({ event, plan }: { event: PlanEvent; plan: string }) {
  const { t } = useTranslation();
  const refused = notCountedReason(event, t);
  const form = event.content_type && t(`plans.contentType.${event.content_type}`);
  return (
    <Link className={styles.row} to={eventPath({ plan, kind: event.kind, id: event.id })}>
      <span className={styles.mark} data-counted={event.counted}>
        <Icon name={event.counted ? 'check' : 'close'} size={18} />
      </span>
      <span className={styles.text}>
        <time className={styles.time} dateTime={event.time}>
          {formatTime(event.time)}
        </time>
        <span className={styles.detail}>{placeName(event, t)}</span>
        <span className={styles.detail}>
          {[deviceName(event, t), form].filter(Boolean).join(' · ')}
        </span>
      </span>
      <span className={styles.end}>
        <span className={classNames(styles.price, !event.counted && styles.nothing)}>
          {formatPrice(event.payout ?? event.price)}
        </span>
        <span className={classNames(styles.verdict, refused !== null && styles.refused)}>
          {refused ?? t('plans.events.counted')}
        </span>
      </span>
    </Link>
  );
}
