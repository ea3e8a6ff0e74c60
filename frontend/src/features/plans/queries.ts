import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '@/api/call';
import { listQuery, readQuery } from '@/api/queries/read';
import type { Plan, PlanStatus } from '@/api/types';
import { named } from './named';

const livePlanRefreshMs = 7000;

export function plansQuery(status: PlanStatus | null) {
  return listQuery(['plans', 'list', status], '/plan/order/list', { status });
}

/** The badge is a detail: its failure must not hide the list. */
export const waitingCountQuery = readQuery(
  ['plans', 'waiting-count'],
  'POST',
  '/plan/order/await/put/count',
  { inline: ['network'] },
);

export function planQuery(id: string) {
  return queryOptions({
    queryKey: ['plans', 'detail', id],
    queryFn: ({ signal }) =>
      named([id], () =>
        call('POST', '/plan/order/detail', {
          body: { id },
          signal,
          inline: ['not_found', 'network'],
        }),
      ),
  });
}

/** Fetched again every few seconds while something is being delivered. */
export function usePlan(id: string) {
  return useQuery({
    ...planQuery(id),
    refetchInterval: ({ state }) => (isLive(state.data) ? livePlanRefreshMs : false),
  });
}

type SeriesStep = 'day' | 'hour';

/** A plan's figures by day, or by hour of the day that contains a moment. */
export function planSeriesQuery(id: string, step: SeriesStep, within: string | null) {
  return queryOptions({
    queryKey: ['plans', 'series', id, step, within],
    queryFn: ({ signal }) =>
      named([id], () =>
        call('GET', '/plan/order/series', {
          query: { plan_id: id, step, within },
          signal,
          inline: ['not_found', 'network'],
        }),
      ),
  });
}

export function usePlanSeries(plan: Plan, step: SeriesStep, within: string | null) {
  return useQuery({
    ...planSeriesQuery(plan.id, step, within),
    refetchInterval: isLive(plan) ? 2 * livePlanRefreshMs : false,
  });
}

function isLive(plan: Plan | undefined): boolean {
  return plan?.status === 'matching' || plan?.status === 'putting';
}

export function productQuery(id: string) {
  return queryOptions({
    queryKey: ['product', id],
    queryFn: ({ signal }) =>
      named([id], () =>
        call('POST', '/plan/order/app/detail', {
          body: { product_id: id },
          signal,
          inline: ['not_found', 'network'],
        }),
      ),
  });
}
