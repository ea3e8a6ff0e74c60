import type { Loader } from '@/shared/page/loader';
import { canCompare, comparedOf, mostCompared } from './compare/compare-address';
import { planTabOf } from './detail/plan-tab';
import { readEventQuery, readOneEvent } from './events/event-query';
import { eventQuery, eventsQuery } from './events/queries';
import { planFilterOf } from './filters/plan-filter';
import { followsQuery } from './operated/queries';
import {
  compareQuery,
  ownProductsQuery,
  planQuery,
  planSeriesQuery,
  plansQuery,
  productQuery,
  productResultsQuery,
  waitingCountQuery,
} from './queries';

export const readPlans: Loader = (client, search) => [
  client.ensureInfiniteQueryData(plansQuery(planFilterOf(search))),
  client.ensureQueryData(waitingCountQuery),
];

export const readPlan: Loader = (client, search) => {
  const id = search.get('id') ?? '';
  const plan = client.ensureQueryData(planQuery(id));
  if (planTabOf(search) !== 'delivery') return [plan];
  return [plan, client.ensureQueryData(planSeriesQuery(id, 'day', null))];
};

export const readEvents: Loader = (client, search) => [
  client.ensureInfiniteQueryData(eventsQuery(readEventQuery(search))),
];

export const readEvent: Loader = (client, search) => [
  client.ensureQueryData(eventQuery(readOneEvent(search))),
];

export const readProduct: Loader = (client, search) => [
  client.ensureQueryData(productQuery(search.get('id') ?? '')),
  client.ensureQueryData(productResultsQuery(search.get('id') ?? '')),
];

export const readCompare: Loader = (client, search) => {
  const compared = comparedOf(search);
  const { of, named } = compared;
  const adds = of === 'products' && named.length < mostCompared;
  return [
    ...(canCompare(named.length) ? [client.ensureQueryData(compareQuery(compared))] : []),
    ...(adds ? [client.ensureQueryData(ownProductsQuery)] : []),
  ];
};

export const readFollows: Loader = (client) => [client.ensureInfiniteQueryData(followsQuery)];
