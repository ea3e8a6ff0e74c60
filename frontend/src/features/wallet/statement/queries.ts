import {
  infiniteQueryOptions,
  queryOptions,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query';
import { call } from '@/api/call';
import { byCursor } from '@/api/queries/by-cursor';
import { everyRow, type FlowFilter, type Stretch } from './filters/flow-filter';

export function daysQuery({ month, stretch, plan, kind, direction, search }: FlowFilter) {
  return infiniteQueryOptions({
    queryKey: ['flow', 'by-day', month, kind, direction, stretch, plan, search],
    queryFn: ({ pageParam, signal }) =>
      call('GET', '/transaction_flow/by_day', {
        query: {
          month,
          ...stretch,
          plan_id: plan,
          kind,
          direction,
          search: search || null,
          cursor: pageParam,
        },
        signal,
      }),
    ...byCursor,
  });
}

export function useDays(filter: FlowFilter) {
  return useInfiniteQuery(daysQuery(filter));
}

/** What there is to filter by, which no filter changes. */
export function useChoices() {
  return useInfiniteQuery(daysQuery(everyRow)).data?.pages[0]?.choices;
}

/** The bills of a plan in a period, one by one, with their sum. */
export function useBills(plan: string, stretch: Stretch) {
  return useInfiniteQuery({
    queryKey: ['flow', 'bills', plan, stretch],
    queryFn: ({ pageParam, signal }) =>
      call('GET', '/transaction_flow/list', {
        query: { plan_id: plan, kind: 'ad_billing', ...stretch, cursor: pageParam },
        signal,
      }),
    ...byCursor,
  });
}

/** A cached plan is enough, because its number never changes. */
export function planNumberQuery(id: string) {
  return queryOptions({
    queryKey: ['plans', 'detail', id],
    queryFn: ({ signal }) =>
      call('POST', '/plan/order/detail', {
        body: { id },
        signal,
        // The list below says what is wrong.
        inline: ['not_found', 'network'],
      }),
    staleTime: Number.POSITIVE_INFINITY,
    select: (plan) => plan.plan_no,
  });
}

export function usePlanNumber(id: string) {
  return useQuery(planNumberQuery(id));
}
