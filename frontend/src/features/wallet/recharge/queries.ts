import {
  infiniteQueryOptions,
  queryOptions,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query';
import { call } from '@/api/call';
import { byCursor, readQuery } from '@/api/queries/read';
import { decisionPollMs, useInvalidateOnDecision } from '@/api/queries/use-invalidate-on-decision';
import type { Recharge } from '@/api/types';

export const rechargesQuery = infiniteQueryOptions({
  queryKey: ['recharges', 'all'],
  queryFn: async ({ client, pageParam, signal }) => {
    const query = { cursor: pageParam };
    const page = await call('GET', '/user/recharges', { query, signal });
    // Recharges that were credited by now must leave the wallet's list of waiting ones.
    void client.invalidateQueries({ queryKey: waitingRechargesQuery.queryKey });
    return page;
  },
  ...byCursor,
});

/** All recharges, fetched repeatedly while one is waiting. */
export function useRecharges() {
  const recharges = useInfiniteQuery({
    ...rechargesQuery,
    refetchInterval: ({ state }) =>
      waitingOnes(state.data?.pages.flatMap((page) => page.items)).length > 0
        ? decisionPollMs
        : false,
  });
  const items = recharges.data?.pages.flatMap((page) => page.items);
  useInvalidateOnDecision(items && waitingOnes(items), 'rechargeDecided');
  return recharges;
}

function waitingOnes(items: Recharge[] | undefined): string[] {
  return (items ?? []).filter(({ status }) => status === 'requested').map(({ id }) => id);
}

/** The recharges that wait for a second member of staff, for the wallet. */
export const waitingRechargesQuery = queryOptions({
  queryKey: ['recharges', 'waiting'],
  queryFn: async ({ client, signal }) => {
    const query = { status: 'requested' } as const;
    const page = await call('GET', '/user/recharges', { query, signal });
    // The list of all of them may be from just before one was requested.
    const known = client.getQueryData(rechargesQuery.queryKey)?.pages.flatMap(({ items }) => items);
    if (known && page.items.some(({ id }) => known.every((one) => one.id !== id))) {
      void client.invalidateQueries({ queryKey: rechargesQuery.queryKey });
    }
    return page;
  },
});

export function useWaitingRecharges() {
  const waiting = useQuery({
    ...waitingRechargesQuery,
    refetchInterval: ({ state }) =>
      waitingOnes(state.data?.items).length > 0 ? decisionPollMs : false,
  });
  const items = waiting.data?.items;
  useInvalidateOnDecision(items && waitingOnes(items), 'rechargeDecided');
  return waiting;
}

/**
 * The accounts to pay in to, the reference, and the announcements. If it cannot be loaded, there is
 * still customer service.
 */
export const rechargeFormQuery = readQuery(
  ['recharges', 'form'],
  'GET',
  '/user/recharge/announcements',
  { inline: ['network'] },
);

/** Looked at again while an announced payment waits. */
export function useRechargeForm() {
  const form = useQuery({
    ...rechargeFormQuery,
    refetchInterval: ({ state }) =>
      state.data && state.data.announcements.length > 0 ? decisionPollMs : false,
  });
  useInvalidateOnDecision(
    form.data?.announcements.map(({ id }) => id),
    'rechargeDecided',
  );
  return form;
}
