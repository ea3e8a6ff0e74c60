import { propertyQuery } from '@/api/use-property';
import { userInfoQuery } from '@/api/use-user-info';
import type { Read } from '@/shared/page/read';
import { creditQuery, levelQuery } from './level/queries';
import { activitiesQuery, couponStatusOf, couponsQuery } from './queries';

export const readActivities: Read = (client) => [client.ensureQueryData(activitiesQuery())];

export const readCoupons: Read = (client, search) => [
  client.ensureInfiniteQueryData(couponsQuery(couponStatusOf(search))),
];

export const readLevel: Read = (client) => [
  client.ensureQueryData(levelQuery()),
  client.ensureQueryData(propertyQuery),
  // Until when VIP runs, as it is now.
  client.ensureQueryData(userInfoQuery),
  client.ensureInfiniteQueryData(creditQuery()),
];
