import { infiniteQueryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { call } from '@/api/call';
import type { BankCard, BasicConfig, FlowKind, FlowPage, Page, Withdrawal } from '@/api/types';
import { currentLanguage } from '@/i18n/texts';

export type FlowFilter = { month: string | null; kind: FlowKind | null };

export function flowQuery({ month, kind }: FlowFilter) {
  return infiniteQueryOptions({
    queryKey: ['flow', month, kind],
    queryFn: ({ pageParam, signal }) =>
      call<FlowPage>('GET', '/transaction_flow/list', {
        query: { month, kind, cursor: pageParam },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });
}

export function useFlow(filter: FlowFilter) {
  return useInfiniteQuery(flowQuery(filter));
}

export function useWithdrawals() {
  return useInfiniteQuery({
    queryKey: ['withdrawals'],
    queryFn: ({ pageParam, signal }) =>
      call<Page<Withdrawal>>('GET', '/withdrawals', { query: { cursor: pageParam }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });
}

export function useBankCard() {
  return useQuery({
    queryKey: ['bank-card'],
    queryFn: ({ signal }) => call<BankCard | null>('GET', '/bank_card/detail', { signal }),
  });
}

/** Asked for anew rather than kept in storage: fees and networks must be today's. */
export function useWithdrawMethods() {
  const lang = currentLanguage();
  return useQuery({
    queryKey: ['withdraw-methods', lang],
    queryFn: async ({ signal }) => {
      const config = await call<BasicConfig>('GET', '/basic_config', { query: { lang }, signal });
      return config.withdraw_method_config;
    },
  });
}
