import { useInfiniteQuery } from '@tanstack/react-query';
import { decisionLookMs, useDecided } from '@/api/queries/decided';
import { listQuery, readQuery } from '@/api/queries/read';
import type { AcceptorType } from '@/api/types';

export function acceptorsQuery(type: AcceptorType) {
  return readQuery(['acceptors', type], 'GET', '/acceptor/list', { query: { type } });
}

export const exchangesQuery = listQuery(['exchanges'], '/acceptor/order/list');

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
