import {
  infiniteQueryOptions,
  queryOptions,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query';
import { call } from '@/api/call';
import type { BankCard, BasicConfig, FlowPage, Page, PlanDetail, Withdrawal } from '@/api/types';
import { basicConfigQuery } from '@/shared/config/basic-config';
import type { FlowFilter } from './statement/filters/flow-filter';

export function flowQuery({ month, stretch, plan, kind }: FlowFilter) {
  return infiniteQueryOptions({
    queryKey: ['flow', month, kind, stretch, plan],
    queryFn: ({ pageParam, signal }) =>
      call<FlowPage>('GET', '/transaction_flow/list', {
        query: { month, ...stretch, plan_id: plan, kind, cursor: pageParam },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });
}

export function useFlow(filter: FlowFilter) {
  return useInfiniteQuery(flowQuery(filter));
}

/** A cached plan is enough, because its number never changes. */
export function planNumberQuery(id: string) {
  return queryOptions({
    queryKey: ['plans', 'detail', id],
    queryFn: ({ signal }) =>
      call<PlanDetail>('POST', '/plan/order/detail', {
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

export const withdrawalsQuery = infiniteQueryOptions({
  queryKey: ['withdrawals'],
  queryFn: ({ pageParam, signal }) =>
    call<Page<Withdrawal>>('GET', '/withdrawals', { query: { cursor: pageParam }, signal }),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.next_cursor,
});

export function useWithdrawals() {
  return useInfiniteQuery(withdrawalsQuery);
}

export const bankCardQuery = queryOptions({
  queryKey: ['bank-card'],
  queryFn: ({ signal }) => call<BankCard | null>('GET', '/bank_card/detail', { signal }),
});

export function useBankCard() {
  return useQuery(bankCardQuery);
}

/** Fetched rather than stored: fees and networks must be current. */
export function useWithdrawMethods() {
  return useQuery({ ...basicConfigQuery(), select: methodsOf });
}

const methodsOf = (config: BasicConfig) => config.withdraw_method_config;
