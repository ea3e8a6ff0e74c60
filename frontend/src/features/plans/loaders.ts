import type { Read } from '@/shared/page/read';
import { followsQuery } from './operated/queries';
import { statusOf } from './plan-status';
import { planQuery, plansQuery, productQuery, waitingCountQuery } from './queries';

export const readPlans: Read = (client, search) => [
  client.ensureInfiniteQueryData(plansQuery(statusOf(search))),
  client.ensureQueryData(waitingCountQuery),
];

export const readPlan: Read = (client, search) => [
  client.ensureQueryData(planQuery(search.get('id') ?? '')),
];

export const readProduct: Read = (client, search) => [
  client.ensureQueryData(productQuery(search.get('id') ?? '')),
];

export const readFollows: Read = (client) => [client.ensureInfiniteQueryData(followsQuery)];
