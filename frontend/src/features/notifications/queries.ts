import { infiniteQueryOptions } from '@tanstack/react-query';
import { call } from '@/api/call';
import { byCursor } from '@/api/queries/read';
import type { NotificationCategoryFilter, NotificationReadFilter } from '@/api/types';

export const categories = [
  'all',
  'system_announcement',
  'system_maintenance',
  'activity',
] as const satisfies readonly NotificationCategoryFilter[];
export const states = [
  'all',
  'unread',
  'read',
] as const satisfies readonly NotificationReadFilter[];

/** The key of all lists. */
export const allNotifications = ['notifications'] as const;

export function notificationsQuery(
  category: NotificationCategoryFilter,
  state: NotificationReadFilter,
) {
  return infiniteQueryOptions({
    queryKey: [...allNotifications, category, state],
    queryFn: ({ pageParam, signal }) =>
      call('POST', '/user/notifications', {
        body: { category, state, ...(pageParam ? { cursor: pageParam } : {}) },
        // The list itself offers to try again.
        inline: ['network'],
        signal,
      }),
    ...byCursor,
  });
}
