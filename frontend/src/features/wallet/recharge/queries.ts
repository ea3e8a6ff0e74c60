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
  queryFn: async ({ client, pageParam, signal }) => {
    const query = { cursor: pageParam };
    const page = await call<Page<Recharge>>('GET', '/user/recharges', { query, signal });
    // What is credited by now waits no longer in the wallet.
    void client.invalidateQueries({ queryKey: waitingRechargesQuery.queryKey });
    return page;
  },
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
