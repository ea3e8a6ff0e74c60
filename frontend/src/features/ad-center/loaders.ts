import { session } from '@/api/session';
import { productsQuery } from '@/api/use-products';
import { userInfoQuery } from '@/api/use-user-info';
import type { Read } from '@/shared/page/read';
import { statisticsQuery } from './queries';

export const readAdCenter: Read = (client) => [
  client.ensureQueryData(userInfoQuery),
  client.ensureInfiniteQueryData(productsQuery),
  ...(session.get().user?.store_opened ? [client.ensureQueryData(statisticsQuery('today'))] : []),
];
