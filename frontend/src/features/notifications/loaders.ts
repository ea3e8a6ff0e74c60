import type { Read } from '@/shared/page/read';
import { notificationsQuery } from './queries';

export const readNotifications: Read = (client) => [
  client.ensureInfiniteQueryData(notificationsQuery('all', 'all')),
];
