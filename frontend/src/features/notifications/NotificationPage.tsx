import { type InfiniteData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { call } from '@/api/call';
import type { Answer, Body } from '@/api/contract/endpoints';
import type { Notification, NotificationCategoryFilter, NotificationReadFilter } from '@/api/types';
import { isReadOnly } from '@/shared/account/read-only';
import { unread, useUnread } from '@/shared/account/unread';
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
import { allNotifications as all, categories, notificationsQuery, states } from './queries';

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
  const some = useSomeUnread(category, state);
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
            {(some || busy) && (
              <Button
                variant="quiet"
                size="small"
                loading={busy}
                onClick={() => void once(markAll)}
              >
                {t('app.notifications.markAll')}
              </Button>
            )}
          </div>
          <NotificationList {...{ category, state, wanted }} onRead={marking.one} />
        </Tabs>
      </div>
    </Refreshable>
  );
}

/** Whether there is something to mark as read, as far as the list and the bell's count say. */
function useSomeUnread(category: NotificationCategoryFilter, state: NotificationReadFilter) {
  const { data, hasNextPage } = useInfiniteQuery(notificationsQuery(category, state));
  const elsewhere = useUnread() > 0 && (!data || hasNextPage || state === 'read');
  return elsewhere || data?.pages.some(({ items }) => items.some(({ read }) => !read));
}

type ListProps = {
  category: NotificationCategoryFilter;
  state: NotificationReadFilter;
  /** The notice that a push message on the device was about. */
  wanted: string | null;
  onRead(id: string): Promise<void>;
};

function NotificationList({ category, state, wanted, onRead }: ListProps) {
  const { t } = useTranslation();
  const query = useInfiniteQuery(notificationsQuery(category, state));
  const { refetch } = query;
  const items = query.data?.pages.flatMap((page) => page.items);
  const every = category === 'all' && state === 'all';
  // A cached list may be older than the notice.
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

type Pages = InfiniteData<Answer<'POST', '/user/notifications'>>;
type Applies = (item: Notification) => boolean;

/**
 * A row shows at once that it was read, and the bell's number falls. Both are undone if the server
 * refuses. The server's own count replaces ours once it has answered.
 */
function useOptimisticRead() {
  const client = useQueryClient();
  const show = (changes: (item: Notification) => boolean, read: boolean) =>
    client.setQueriesData<Pages>(
      { queryKey: all },
      (data) =>
        data && {
          ...data,
          pages: data.pages.map((page) => ({
            ...page,
            items: page.items.map((item) => (changes(item) ? { ...item, read } : item)),
          })),
        },
    );
  const unreadNow = (applies: Applies) => {
    const lists = client
      .getQueriesData<Pages>({ queryKey: all })
      .map(([, data]) => data?.pages ?? []);
    const items = lists.flat().flatMap((page) => page.items);
    return new Set(items.filter((item) => !item.read && applies(item)).map((item) => item.id));
  };
  const mark = async (body: Body<'/user/notifications/read'>, applies: Applies) => {
    const changed = unreadNow(applies);
    show(({ id }) => changed.has(id), true);
    const before = unread.get();
    unread.decrease(changed.size);
    try {
      const { unread_total } = await send(body);
      unread.set(unread_total);
      // Again, because a list fetched meanwhile may still have shown them as unread.
      show(applies, true);
      // Lists filtered by state that are not on screen are fetched again when they are opened.
      void client.invalidateQueries({ queryKey: all, refetchType: 'none' });
    } catch (failure) {
      show(({ id }) => changed.has(id), false);
      unread.set(before);
      throw failure;
    }
  };
  const send = (body: Body<'/user/notifications/read'>) =>
    call('POST', '/user/notifications/read', { body, inline: ['all'] });
  return {
    // Staff who look at the account open what is unread, and it stays so.
    one: async (id: string) => {
      if (!isReadOnly()) await mark({ id }, (item) => item.id === id);
    },
    every: (category: NotificationCategoryFilter) =>
      mark({ all: true, category }, (item) => category === 'all' || item.category === category),
  };
}
