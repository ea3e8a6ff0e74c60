import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { isRefusal } from '@/api/errors';
import type { PlanEvent } from '@/api/types';
import { formatDate, formatPrice, formatTime } from '@/i18n/format';
import { type EventQuery, eventsPath } from '@/shared/money/events-path';
import { Refreshable } from '@/shared/page/Refreshable';
import { classNames } from '@/ui/class-names';
import { Button } from '@/ui/controls/Button';
import { FilterRow } from '@/ui/controls/FilterRow';
import { Link } from '@/ui/controls/Link';
import { Tabs } from '@/ui/controls/Tabs';
import { Card } from '@/ui/display/Card';
import { Icon } from '@/ui/display/Icon';
import { EmptyState } from '@/ui/feedback/EmptyState';
import { FlowPicture } from '@/ui/illustrations/FlowPicture';
import { InfiniteList } from '@/ui/lists/InfiniteList';
import { NotFound } from '../NotFound';
import styles from './EventsPage.module.css';
import { deviceName, notCountedReason, placeName } from './event-names';
import { countTexts, eventKinds, eventPath, readEventQuery, verdicts } from './event-query';
import { eventsQuery } from './queries';

/** Every impression, click and conversion of a plan, one by one. */
export function EventsPage() {
  const { t } = useTranslation();
  const [search, setSearch] = useSearchParams();
  // The address follows in a moment; two quick choices must not undo each other. An address that
  // is changed by hand is followed.
  const [query, setQuery] = useState(() => readEventQuery(search));
  const [followed, setFollowed] = useState(search.toString());
  const [own, setOwn] = useState<string[]>([]);
  const now = search.toString();
  if (followed !== now) {
    setFollowed(now);
    if (!own.includes(now)) setQuery(readEventQuery(search));
    // The addresses before the last are still to come.
    if (!own.includes(now) || own.at(-1) === now) setOwn([]);
  }
  const events = useInfiniteQuery(eventsQuery(query));
  const show = (change: Partial<EventQuery>) => {
    const chosen = { ...query, ...change };
    setQuery(chosen);
    const [, address = ''] = eventsPath(chosen).split('?');
    setOwn([...own, new URLSearchParams(address).toString()]);
    setSearch(address, { replace: true });
  };
  if (isRefusal(events.error, 'not_found')) return <NotFound what="plan" />;
  return (
    <Refreshable>
      <div className={styles.page}>
        <Tabs
          label={t('plans.events.kinds')}
          tabs={eventKinds.map((kind) => ({ key: kind, label: t(countTexts[kind]) }))}
          value={query.kind}
          onChange={(kind) => show({ kind })}
        >
          <div className={styles.filters}>
            <FilterRow
              legend={t('plans.events.verdicts')}
              options={verdicts.map((value) => ({ value, label: t(`plans.events.${value}`) }))}
              value={query.verdict}
              onChange={(verdict) => show({ verdict })}
            />
          </div>
          {query.line && (
            <Button
              size="small"
              variant="secondary"
              icon="close"
              aria-label={t('wallet.dropFilter', { filter: t('plans.events.onBill') })}
              onClick={() => show({ line: null })}
            >
              {t('plans.events.onBill')}
            </Button>
          )}
          <Card flush className={styles.list}>
            <InfiniteList
              query={events}
              label={t(countTexts[query.kind])}
              keyOf={({ id }) => id}
              renderItem={(event, before) => (
                <>
                  {dayOf(event.time) !== (before && dayOf(before.time)) && (
                    <h2 className={styles.day}>{dayOf(event.time)}</h2>
                  )}
                  <EventRow event={event} plan={query.plan} />
                </>
              )}
              empty={
                <EmptyState
                  picture={<FlowPicture />}
                  title={t('plans.events.empty')}
                  description={t('plans.events.emptyHint')}
                />
              }
            />
          </Card>
          <p className={styles.note}>{t('plans.events.privacy')}</p>
        </Tabs>
      </div>
    </Refreshable>
  );
}

/** In the reader's own time zone. */
function dayOf(time: string) {
  return formatDate(time, 'full');
}

/** One event: time, place, device, form, cost, and the reason if it does not count. */
function EventRow({ event, plan }: { event: PlanEvent; plan: string }) {
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
        {/* Some reasons take a whole line. */}
        {refused && <span className={styles.refused}>{refused}</span>}
      </span>
      <span className={styles.end}>
        <span className={classNames(styles.price, !event.counted && styles.nothing)}>
          {formatPrice(event.payout ?? event.price)}
        </span>
        {event.counted && !refused && (
          <span className={styles.detail}>{t('plans.events.counted')}</span>
        )}
      </span>
    </Link>
  );
}
