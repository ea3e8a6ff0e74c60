import { type InfiniteData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '@/api/call';
import type { Notification, NotificationCategory, Page, UnreadCount } from '@/api/types';
import { unread } from '@/app/unread';

export const categories = [
  'all',
  'system_announcement',
  'system_maintenance',
  'activity',
] as const satisfies readonly ('all' | NotificationCategory)[];
export const states = ['all', 'unread', 'read'] as const;
export type Category = (typeof categories)[number];
export type State = (typeof states)[number];

const all = ['notifications'];
type Pages = InfiniteData<Page<Notification>>;

export function useNotifications(category: Category, state: State) {
  return useInfiniteQuery({
    queryKey: [...all, category, state],
    queryFn: ({ pageParam, signal }) =>
      call<Page<Notification>>('POST', '/user/notifications', {
        body: { category, state, ...(pageParam ? { cursor: pageParam } : {}) },
        // The list itself offers to load again.
        inline: ['network'],
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });
}

/** Marks on the server first: a bell that says less than the truth hides news. */
export function useMarking() {
  const client = useQueryClient();
  const show = (applies: (item: Notification) => boolean) => {
    client.setQueriesData<Pages>(
      { queryKey: all },
      (data) =>
        data && {
          ...data,
          pages: data.pages.map((page) => ({
            ...page,
            items: page.items.map((item) => (applies(item) ? { ...item, read: true } : item)),
          })),
        },
    );
    // Lists filtered by state that are not on screen are read anew when they are opened.
    void client.invalidateQueries({ queryKey: all, refetchType: 'none' });
  };
  const send = (body: object) =>
    call<UnreadCount>('POST', '/user/notifications/read', { body, inline: ['all'] });
  return {
    async one(id: string) {
      const { unread_total } = await send({ id });
      unread.set(unread_total);
      show((item) => item.id === id);
    },
    async every(category: Category) {
      const { unread_total } = await send({ all: true, category });
      unread.set(unread_total);
      show((item) => category === 'all' || item.category === category);
    },
  };
}
