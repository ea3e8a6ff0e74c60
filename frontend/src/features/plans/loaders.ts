import type { Read } from '@/shared/page/read';
import { readEventQuery, readOneEvent } from './events/event-query';
import { eventQuery, eventsQuery } from './events/queries';
import { followsQuery } from './operated/queries';
import { statusOf } from './plan-status';
import { planQuery, planSeriesQuery, plansQuery, productQuery, waitingCountQuery } from './queries';

export const readPlans: Read = (client, search) => [
  client.ensureInfiniteQueryData(plansQuery(statusOf(search))),
  client.ensureQueryData(waitingCountQuery),
];

export const readPlan: Read = (client, search) => [
  client.ensureQueryData(planQuery(search.get('id') ?? '')),
  client.ensureQueryData(planSeriesQuery(search.get('id') ?? '', 'day', null)),
];

export const readEvents: Read = (client, search) => [
  client.ensureInfiniteQueryData(eventsQuery(readEventQuery(search))),
];

export const readEvent: Read = (client, search) => [
  client.ensureQueryData(eventQuery(readOneEvent(search))),
];

export const readProduct: Read = (client, search) => [
  client.ensureQueryData(productQuery(search.get('id') ?? '')),
];

export const readFollows: Read = (client) => [client.ensureInfiniteQueryData(followsQuery)];
