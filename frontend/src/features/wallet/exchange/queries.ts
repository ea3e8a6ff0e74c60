import {
  infiniteQueryOptions,
  queryOptions,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query';
import { call } from '@/api/call';
import { byCursor } from '@/api/queries/by-cursor';
import { decisionLookMs, useDecided } from '@/api/queries/decided';
import type { AcceptorType } from '@/api/types';

export function acceptorsQuery(type: AcceptorType) {
  return queryOptions({
    queryKey: ['acceptors', type],
    queryFn: ({ signal }) => call('GET', '/acceptor/list', { query: { type }, signal }),
  });
}

export function useAcceptors(type: AcceptorType) {
  return useQuery(acceptorsQuery(type));
}

export const exchangesQuery = infiniteQueryOptions({
  queryKey: ['exchanges'],
  queryFn: ({ pageParam, signal }) =>
    call('GET', '/acceptor/order/list', { query: { cursor: pageParam }, signal }),
  ...byCursor,
});

/** What an exchange that staff have decided on meanwhile changes is asked again. */
export function useExchangeDecided() {
  const { data } = useExchanges();
  const current = data?.pages[0]?.current;
  useDecided(data && (current ? [current.id] : []), 'exchangeDecided');
}

/** The open order, which comes with every page, and all orders. */
export function useExchanges() {
  return useInfiniteQuery({
    ...exchangesQuery,
    // Staff decide on an open order; its user sees that without reloading.
    refetchInterval: ({ state }) => (state.data?.pages[0]?.current ? decisionLookMs : false),
  });
}
