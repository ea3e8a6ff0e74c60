import { useQuery } from '@tanstack/react-query';
import { listQuery, readQuery } from '@/api/queries/read';
import type { EventQuery, Verdict } from '@/shared/money/events-path';
import { goneRefusals, requireIds } from '../require-ids';
import type { OneEvent } from './event-query';

/** A screen is full of them. */
const rowsPerPage = '30';
const counted: Record<Verdict, boolean | null> = { all: null, counted: true, notCounted: false };

export function eventsQuery({ plan, kind, verdict, line }: EventQuery) {
  const key = ['plans', 'events', plan, kind, verdict, line] as const;
  const query = { plan_id: plan, kind, counted: counted[verdict], line_id: line };
  const options = { query: { ...query, limit: rowsPerPage }, inline: goneRefusals };
  return requireIds([plan], listQuery(key, '/plan/order/events', options));
}

export function eventQuery({ plan, kind, id }: OneEvent) {
  const key = ['plans', 'event', plan, kind, id] as const;
  const options = { query: { plan_id: plan, kind, id }, inline: goneRefusals };
  return requireIds([plan, id], readQuery(key, 'GET', '/plan/order/event', options));
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
