import {
  infiniteQueryOptions,
  queryOptions,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query';
import { call } from '@/api/call';
import type { Acceptor, AcceptorType, ExchangePage } from '@/api/types';

export function acceptorsQuery(type: AcceptorType) {
  return queryOptions({
    queryKey: ['acceptors', type],
    queryFn: ({ signal }) => call<Acceptor[]>('GET', '/acceptor/list', { query: { type }, signal }),
  });
}

export function useAcceptors(type: AcceptorType) {
  return useQuery(acceptorsQuery(type));
}

const openOrderRefreshMs = 15_000;

export const exchangesQuery = infiniteQueryOptions({
  queryKey: ['exchanges'],
  queryFn: ({ pageParam, signal }) =>
    call<ExchangePage>('GET', '/acceptor/order/list', { query: { cursor: pageParam }, signal }),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.next_cursor,
});

/** The open order, which comes with every page, and all orders. */
export function useExchanges() {
  return useInfiniteQuery({
    ...exchangesQuery,
    // Staff decide on an open order; its user sees that without reloading.
    refetchInterval: ({ state }) => (state.data?.pages[0]?.current ? openOrderRefreshMs : false),
  });
}
