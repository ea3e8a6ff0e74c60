import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { isRefusal } from '@/api/errors';
import type { PlanEventDetail } from '@/api/types';
import { formatDate, formatMoney, formatPrice, formatTime } from '@/i18n/format';
import { planPath } from '@/pages';
import { eventsPath } from '@/shared/money/events-path';
import { flowPath } from '@/shared/money/flow-path';
import { Refreshable } from '@/shared/page/Refreshable';
import { Link } from '@/ui/controls/Link';
import { LinkButton } from '@/ui/controls/LinkButton';
import { MenuRow } from '@/ui/controls/MenuRow';
import { Card } from '@/ui/display/Card';
import { Facts, type SomeFacts } from '@/ui/display/Facts';
import { StatusTag } from '@/ui/display/StatusTag';
import { CardSkeletons } from '@/ui/feedback/CardSkeleton';
import { Unanswered } from '@/ui/feedback/Unanswered';
import { NotFound } from '../NotFound';
import { settlementFact } from '../plan-status';
import { BillCard } from './BillCard';
import styles from './EventPage.module.css';
import { deviceName, notCountedReason, placeName } from './event-names';
import { eventPath, readOneEvent } from './event-query';
import { useEvent } from './queries';

/** One event: its details, and the line of the bill that charged for it. */
export function EventPage() {
  const [search] = useSearchParams();
  const one = readOneEvent(search);
  const event = useEvent(one);
  if (event.data) {
    return (
      <Refreshable>
        <Shown event={event.data} plan={one.plan} />
      </Refreshable>
    );
  }
  if (event.isPending) return <CardSkeletons className={styles.page} lines={[3, 5]} />;
  if (isRefusal(event.error, 'not_found')) return <NotFound what="event" />;
  return <Unanswered of={event} />;
}

function Shown({ event, plan }: { event: PlanEventDetail; plan: string }) {
  const { t } = useTranslation();
  const refused = notCountedReason(event, t);
  return (
    <div className={styles.page}>
      <Card>
        <div className={styles.head}>
          <h2 className={styles.kind}>{t(`plans.events.kind.${event.kind}`)}</h2>
          <StatusTag tone={event.counted ? 'positive' : 'warning'}>
            {t(event.counted ? 'plans.events.counted' : 'plans.events.notCounted')}
          </StatusTag>
        </div>
        <p className={styles.price}>{formatPrice(event.payout ?? event.price)}</p>
        {refused && <p className={styles.reason}>{refused}</p>}
        <Facts facts={useFacts(event, plan)} />
      </Card>
      {event.billing && <BillCard event={event} plan={plan} />}
      {event.kind === 'conversion' && <PayoutCard event={event} plan={plan} />}
      {event.related.length > 0 && <RelatedCard event={event} plan={plan} />}
      <LinkButton variant="secondary" to={eventsPath({ plan, kind: event.kind })}>
        {t(`plans.events.every.${event.kind}`)}
      </LinkButton>
      <p className={styles.note}>{t('plans.events.privacy')}</p>
    </div>
  );
}

function useFacts(event: PlanEventDetail, plan: string): SomeFacts {
  const { t } = useTranslation();
  const at = (time: string) => `${formatDate(time)}, ${formatTime(time)}`;
  return [
    { label: t('plans.events.time'), value: <time dateTime={event.time}>{at(event.time)}</time> },
    event.occurred_at && { label: t('plans.events.occurred'), value: at(event.occurred_at) },
    { label: t('plans.events.slot'), value: placeName(event, t) },
    { label: t('plans.events.deviceLabel'), value: deviceName(event, t) },
    event.content_type && {
      label: t('plans.form'),
      value: t(`plans.contentType.${event.content_type}`),
    },
    {
      label: t('plans.events.plan'),
      value: (
        <Link className={styles.link} to={planPath(plan)}>
          {event.product_name} · {event.plan_no}
        </Link>
      ),
    },
    event.event_id && { label: t('plans.events.eventId'), value: <Code text={event.event_id} /> },
    event.click_id && {
      label: t('plans.events.clickId'),
      value: <Code text={event.click_id} />,
      hint: t('plans.events.clickIdHint'),
    },
  ];
}

function Code({ text }: { text: string }) {
  return <span className={styles.code}>{text}</span>;
}

/** The payout of a conversion, and its date. */
function PayoutCard({ event, plan }: { event: PlanEventDetail; plan: string }) {
  const { t } = useTranslation();
  const facts = [
    { label: t('plans.payout'), value: formatMoney(event.payout ?? '0') },
    event.reversed_at
      ? { label: t('plans.events.takenBack'), value: formatDate(event.reversed_at) }
      : event.counted && settlementFact(event, t),
  ];
  return (
    <Card title={t('plans.revenue')}>
      <Facts facts={facts} />
      {event.counted && event.settled_at && (
        <div className={styles.rows}>
          <MenuRow
            icon="list"
            label={t('wallet.kind.settlement')}
            to={flowPath({ plan, kind: 'settlement' })}
          />
        </div>
      )}
    </Card>
  );
}

const icons = { impression: 'eye', viewable: 'eye', click: 'device', conversion: 'star' } as const;

/** The view, the click and the conversions of the same ad, shown once to one visitor. */
function RelatedCard({ event, plan }: { event: PlanEventDetail; plan: string }) {
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
