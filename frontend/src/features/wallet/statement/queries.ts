import { queryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { listQuery, readQuery } from '@/api/queries/read';
import { everyRow, type FlowFilter, type Stretch } from './filters/flow-filter';

export function daysQuery({ month, stretch, plan, kind, direction, search }: FlowFilter) {
  const key = ['flow', 'by-day', month, kind, direction, stretch, plan, search] as const;
  const query = { month, ...stretch, plan_id: plan, kind, direction, search: search || null };
  return listQuery(key, '/transaction_flow/by_day', { query });
}

/** The months and kinds to filter by, which do not depend on the filter. */
export function useFilterOptions() {
  return useInfiniteQuery(daysQuery(everyRow)).data?.pages[0]?.choices;
}

/** The bills of a plan in a period, one by one, with their sum. */
export function billsQuery(plan: string, stretch: Stretch) {
  const query = { plan_id: plan, kind: 'ad_billing', ...stretch } as const;
  return listQuery(['flow', 'bills', plan, stretch], '/transaction_flow/list', { query });
}

/** A cached plan is enough, because its number never changes. */
export function planNumberQuery(id: string) {
  // The list below says what is wrong.
  const options = { body: { id }, inline: ['not_found', 'network'] } as const;
  return queryOptions({
    ...readQuery(['plans', 'detail', id], 'POST', '/plan/order/detail', options),
    staleTime: Number.POSITIVE_INFINITY,
    select: (plan) => plan.plan_no,
  });
}
