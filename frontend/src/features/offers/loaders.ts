import { activitiesQuery } from '@/api/queries/use-activities';
import { propertyQuery } from '@/api/queries/use-property';
import { userQuery } from '@/api/user';
import type { Loader } from '@/shared/page/loader';
import { creditQuery, levelQuery } from './level/queries';
import { couponStatusOf, couponsQuery } from './queries';

export const readActivities: Loader = (client) => [client.ensureQueryData(activitiesQuery())];

export const readCoupons: Loader = (client, search) => [
  client.ensureInfiniteQueryData(couponsQuery(couponStatusOf(search))),
];

export const readLevel: Loader = (client) => [
  client.ensureQueryData(levelQuery()),
  client.ensureQueryData(propertyQuery),
  // The current end of VIP.
  client.ensureQueryData({ ...userQuery, revalidateIfStale: true }),
  client.ensureInfiniteQueryData(creditQuery()),
];
