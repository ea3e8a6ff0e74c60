import type { QueryClient } from '@tanstack/react-query';
import { activitiesQuery } from '@/api/queries/use-activities';
import { productsQuery } from '@/api/queries/use-products';
import { propertyQuery } from '@/api/queries/use-property';
import { session } from '@/api/session';
import { userQuery } from '@/api/user';
import type { Loader } from '@/shared/page/loader';
import { runningPlansQuery, statisticsQuery } from './queries';

export const readAdCenter: Loader = (client) => [
  client.ensureQueryData({ ...userQuery, revalidateIfStale: true }),
  client.ensureInfiniteQueryData(productsQuery),
  client.ensureQueryData(propertyQuery),
  ...(session.get().user?.store_opened
    ? [
        client.ensureQueryData(statisticsQuery('today')),
        client.ensureQueryData(runningPlansQuery),
        readFirstRun(client),
      ]
    : [client.ensureQueryData(activitiesQuery())]),
];

/** The first steps, where they are shown, know of the newcomer's coupon. */
async function readFirstRun(client: QueryClient) {
  const all = await client.ensureQueryData(statisticsQuery('all'));
  if (all.impressions === 0) await client.ensureQueryData(activitiesQuery());
}
