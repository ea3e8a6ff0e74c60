import { type InfiniteData, useQueryClient } from '@tanstack/react-query';
import { call } from '@/api/call';
import type { Answer, Body } from '@/api/contract/endpoints';
import type { Notification, NotificationCategoryFilter } from '@/api/types';
import { isReadOnly } from '@/shared/account/read-only';
import { unread } from '@/shared/account/unread';
import { allNotifications as all } from './queries';

type Pages = InfiniteData<Answer<'POST', '/user/notifications'>>;
type Applies = (item: Notification) => boolean;

/**
 * A row shows at once that it was read, and the bell's number falls. Both are undone if the server
 * refuses. The server's own count replaces ours once it has answered.
 */
export function useOptimisticRead() {
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
