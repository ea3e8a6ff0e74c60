import { infiniteQueryOptions, queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '@/api/call';
import { byCursor } from '@/api/queries/read';
import type { EventQuery, Verdict } from '@/shared/money/events-path';
import { named } from '../named';
import type { OneEvent } from './event-query';

/** A screen is full of them. */
const rowsPerPage = '30';
const counted: Record<Verdict, boolean | null> = {
  all: null,
  counted: true,
  notCounted: false,
};

export function eventsQuery({ plan, kind, verdict, line }: EventQuery) {
  return infiniteQueryOptions({
    queryKey: ['plans', 'events', plan, kind, verdict, line],
    queryFn: ({ pageParam, signal }) =>
      named([plan], () =>
        call('GET', '/plan/order/events', {
          query: {
            plan_id: plan,
            kind,
            counted: counted[verdict],
            line_id: line,
            limit: rowsPerPage,
            cursor: pageParam,
          },
          signal,
          inline: ['not_found', 'network'],
        }),
      ),
    ...byCursor,
  });
}

export function eventQuery({ plan, kind, id }: OneEvent) {
  return queryOptions({
    queryKey: ['plans', 'event', plan, kind, id],
    queryFn: ({ signal }) =>
      named([plan, id], () =>
        call('GET', '/plan/order/event', {
          query: { plan_id: plan, kind, id },
          signal,
          inline: ['not_found', 'network'],
        }),
      ),
  });
}

const nextCountMs = 5000;
const nextBillMs = 60_000;

/** Asked again until it is on a bill: seldom once it waits for the end of the day. */
export function useEvent(one: OneEvent) {
  return useQuery({
    ...eventQuery(one),
    refetchInterval: ({ state }) => {
      if (state.data?.billing !== 'waiting') return false;
      return state.data.bill_at ? nextBillMs : nextCountMs;
    },
  });
}
