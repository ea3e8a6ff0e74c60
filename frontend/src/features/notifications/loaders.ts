import type { Loader } from '@/shared/page/loader';
import { notificationsQuery } from './queries';

export const readNotifications: Loader = (client) => [
  client.ensureInfiniteQueryData(notificationsQuery('all', 'all')),
];
