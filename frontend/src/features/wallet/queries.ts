import {
  type InfiniteData,
  infiniteQueryOptions,
  queryOptions,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query';
import { call } from '@/api/call';
import type { Answer } from '@/api/contract/endpoints';
import { byCursor } from '@/api/queries/by-cursor';
import { decisionLookMs, useDecided } from '@/api/queries/decided';
import type { BasicConfig } from '@/api/types';
import { basicConfigQuery } from '@/shared/config/basic-config';

export const withdrawalsQuery = infiniteQueryOptions({
  queryKey: ['withdrawals'],
  queryFn: ({ pageParam, signal }) =>
    call('GET', '/withdrawals', { query: { cursor: pageParam }, signal }),
  ...byCursor,
});

/** Looked at again while staff have one to decide on. */
export function useWithdrawals() {
  return useInfiniteQuery({
    ...withdrawalsQuery,
    refetchInterval: ({ state }) => (openOnes(state.data).length > 0 ? decisionLookMs : false),
  });
}

/** What a withdrawal that was decided on meanwhile changes is asked again. */
export function useWithdrawalDecided() {
  const { data } = useWithdrawals();
  useDecided(data && openOnes(data), 'withdrawalDecided');
}

function openOnes(data: InfiniteData<Answer<'GET', '/withdrawals'>> | undefined): string[] {
  const all = data?.pages.flatMap((page) => page.items) ?? [];
  return all
    .filter(({ status }) => status === 'pending' || status === 'approved')
    .map(({ id }) => id);
}

/** How long withdrawals took lately. */
export const paceQuery = queryOptions({
  queryKey: ['withdrawals', 'pace'],
  queryFn: ({ signal }) =>
    call('GET', '/withdrawals/pace', {
      signal,
      // A detail: its failure must not hide the page.
      inline: ['network'],
    }),
});

export function usePace() {
  return useQuery(paceQuery);
}

export const bankCardQuery = queryOptions({
  queryKey: ['bank-card'],
  queryFn: ({ signal }) => call('GET', '/bank_card/detail', { signal }),
});

export function useBankCard() {
  return useQuery(bankCardQuery);
}

/** Fetched rather than stored: fees and networks must be current. */
export function useWithdrawMethods() {
  return useQuery({ ...basicConfigQuery(), select: methodsOf });
}

const methodsOf = (config: BasicConfig) => config.withdraw_method_config;
