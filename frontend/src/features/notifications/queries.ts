import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { call } from '@/api/call';
import type { Notification, NotificationCategory, Page } from '@/api/types';

export const categories = [
  'all',
  'system_announcement',
  'system_maintenance',
  'activity',
] as const satisfies readonly ('all' | NotificationCategory)[];
export const states = ['all', 'unread', 'read'] as const;
export type Category = (typeof categories)[number];
export type State = (typeof states)[number];

/** The key of all lists. */
export const allNotifications = ['notifications'];

export function notificationsQuery(category: Category, state: State) {
  return infiniteQueryOptions({
    queryKey: [...allNotifications, category, state],
    queryFn: ({ pageParam, signal }) =>
      call<Page<Notification>>('POST', '/user/notifications', {
        body: { category, state, ...(pageParam ? { cursor: pageParam } : {}) },
        // The list itself offers to try again.
        inline: ['network'],
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });
}

export function useNotifications(category: Category, state: State) {
  return useInfiniteQuery(notificationsQuery(category, state));
}
