import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import type { NotificationCategoryFilter, NotificationReadFilter } from '@/api/types';
import { useEntryState } from '@/shared/forms/use-entry-state';
import { useSingleFlight } from '@/shared/forms/use-single-flight';
import { Refreshable } from '@/shared/page/Refreshable';
import { Button } from '@/ui/controls/Button';
import { FilterRow } from '@/ui/controls/FilterRow';
import { Tabs } from '@/ui/controls/Tabs';
import { EmptyState } from '@/ui/feedback/EmptyState';
import { showToast } from '@/ui/feedback/toast-store';
import { NoticesPicture } from '@/ui/illustrations/NoticesPicture';
import { InfiniteList } from '@/ui/lists/InfiniteList';
import styles from './NotificationPage.module.css';
import { NotificationRow } from './NotificationRow';
import { categories, notificationsQuery, states } from './queries';
import { useOptimisticRead } from './use-optimistic-read';

export function NotificationPage() {
  const { t } = useTranslation();
  const [category, setCategory] = useEntryState<NotificationCategoryFilter>('category', 'all');
  const [state, setState] = useEntryState<NotificationReadFilter>('state', 'all');
  const [params] = useSearchParams();
  const wanted = params.get('id');
  const shown = useRef(wanted);
  useEffect(() => {
    // A device's notice was pressed while the page was open. No filter may hide what it is of.
    if (wanted && wanted !== shown.current) {
      setCategory('all');
      setState('all');
    }
    shown.current = wanted;
  }, [wanted, setCategory, setState]);
  const marking = useOptimisticRead();
  const { busy, once } = useSingleFlight(() =>
    showToast(t('app.notifications.markAllFailed'), 'failure'),
  );
  const markAll = async () => {
    await marking.every(category);
    showToast(t('app.notifications.markedAll'), 'success');
  };
  return (
    <Refreshable>
      <div className={styles.page}>
        <Tabs
          label={t('app.notifications.categories')}
          tabs={categories.map((key) => ({ key, label: t(`app.notifications.category.${key}`) }))}
          value={category}
          onChange={setCategory}
          variant="pills"
        >
          <div className={styles.tools}>
            <FilterRow
              legend={t('app.notifications.states')}
              options={states.map((value) => ({
                value,
                label: t(`app.notifications.state.${value}`),
              }))}
              value={state}
              onChange={setState}
            />
            <Button variant="quiet" size="small" loading={busy} onClick={() => void once(markAll)}>
              {t('app.notifications.markAll')}
            </Button>
          </div>
          <NotificationList {...{ category, state, wanted }} onRead={marking.one} />
        </Tabs>
      </div>
    </Refreshable>
  );
}

type ListProps = {
  category: NotificationCategoryFilter;
  state: NotificationReadFilter;
  /** What a device was told of. */
  wanted: string | null;
  onRead(id: string): Promise<void>;
};

function NotificationList({ category, state, wanted, onRead }: ListProps) {
  const { t } = useTranslation();
  const query = useInfiniteQuery(notificationsQuery(category, state));
  const { refetch } = query;
  const items = query.data?.pages.flatMap((page) => page.items);
  const every = category === 'all' && state === 'all';
  // What was fetched before is older than the notice.
  const missing = every && wanted !== null && items?.every(({ id }) => id !== wanted) && wanted;
  useEffect(() => {
    if (missing) void refetch({ cancelRefetch: false });
  }, [missing, refetch]);
  if (!items && query.isError) {
    return (
      <button type="button" className={styles.reload} onClick={() => void query.refetch()}>
        {t('app.notifications.reload')}
      </button>
    );
  }
  const read = async (id: string) => {
    try {
      await onRead(id);
    } catch {
      showToast(t('app.notifications.markFailed'), 'failure');
    }
  };
  return (
    <InfiniteList
      query={query}
      label={t('app.title.notifications')}
      keyOf={(item) => item.id}
      renderItem={(item) => (
        <NotificationRow item={item} wanted={item.id === wanted} onRead={() => read(item.id)} />
      )}
      spaced
      empty={
        <EmptyState
          picture={<NoticesPicture />}
          title={t('app.notifications.emptyTitle')}
          description={t('app.notifications.emptyText')}
        />
      }
    />
  );
}
