import { session } from '@/api/session';
import { productsQuery } from '@/api/use-products';
import { userQuery } from '@/api/user';
import type { Read } from '@/shared/page/read';
import { statisticsQuery } from './queries';

export const readAdCenter: Read = (client) => [
  client.ensureQueryData({ ...userQuery, revalidateIfStale: true }),
  client.ensureInfiniteQueryData(productsQuery),
  ...(session.get().user?.store_opened ? [client.ensureQueryData(statisticsQuery('today'))] : []),
];
