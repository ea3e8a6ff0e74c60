import { useInfiniteQuery } from '@tanstack/react-query';
import { listQuery, readQuery } from '@/api/queries/read';
import { decisionPollMs, useInvalidateOnDecision } from '@/api/queries/use-invalidate-on-decision';
import type { AcceptorType } from '@/api/types';

export function acceptorsQuery(type: AcceptorType) {
  return readQuery(['acceptors', type], 'GET', '/acceptor/list', { query: { type } });
}

export const exchangesQuery = listQuery(['exchanges'], '/acceptor/order/list');

/** Refetches the stale queries when staff have decided on an exchange. */
export function useInvalidateOnExchangeDecision() {
  const { data } = useExchanges();
  const current = data?.pages[0]?.current;
  useInvalidateOnDecision(data && (current ? [current.id] : []), 'exchangeDecided');
}

/** The open order, which comes with every page, and all orders. */
export function useExchanges() {
  return useInfiniteQuery({
    ...exchangesQuery,
    // Staff decide on an open order; its user sees that without reloading.
    refetchInterval: ({ state }) => (state.data?.pages[0]?.current ? decisionPollMs : false),
  });
}
