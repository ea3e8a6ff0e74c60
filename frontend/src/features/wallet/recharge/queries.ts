import {
  infiniteQueryOptions,
  queryOptions,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query';
import { call } from '@/api/call';
import type { Page, Recharge } from '@/api/types';

export const rechargesQuery = infiniteQueryOptions({
  queryKey: ['recharges', 'all'],
  queryFn: ({ pageParam, signal }) =>
    call<Page<Recharge>>('GET', '/user/recharges', { query: { cursor: pageParam }, signal }),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.next_cursor,
});

export function useRecharges() {
  return useInfiniteQuery(rechargesQuery);
}

/** Those that wait for a second member of staff, in the wallet. */
export const waitingRechargesQuery = queryOptions({
  queryKey: ['recharges', 'waiting'],
  queryFn: ({ signal }) =>
    call<Page<Recharge>>('GET', '/user/recharges', { query: { status: 'requested' }, signal }),
});

export function useWaitingRecharges() {
  return useQuery(waitingRechargesQuery);
}
