import { type InfiniteData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { Answer } from '@/api/contract/endpoints';
import { listQuery, readQuery } from '@/api/queries/read';
import { decisionPollMs, useInvalidateOnDecision } from '@/api/queries/use-invalidate-on-decision';
import type { BasicConfig } from '@/api/types';
import { basicConfigQuery } from '@/shared/config/basic-config';

export const withdrawalsQuery = listQuery(['withdrawals'], '/withdrawals');

/** Looked at again while staff have one to decide on. */
export function useWithdrawals() {
  return useInfiniteQuery({
    ...withdrawalsQuery,
    refetchInterval: ({ state }) => (openOnes(state.data).length > 0 ? decisionPollMs : false),
  });
}

/** Refetches the stale queries when staff have decided on a withdrawal. */
export function useInvalidateOnWithdrawalDecision() {
  const { data } = useWithdrawals();
  useInvalidateOnDecision(data && openOnes(data), 'withdrawalDecided');
}

function openOnes(data: InfiniteData<Answer<'GET', '/withdrawals'>> | undefined): string[] {
  const all = data?.pages.flatMap((page) => page.items) ?? [];
  return all
    .filter(({ status }) => status === 'pending' || status === 'approved')
    .map(({ id }) => id);
}

/** How long withdrawals took lately: a detail, whose failure must not hide the page. */
export const paceQuery = readQuery(['withdrawals', 'pace'], 'GET', '/withdrawals/pace', {
  inline: ['network'],
});

export const bankCardQuery = readQuery(['bank-card'], 'GET', '/bank_card/detail');

/** Fetched rather than stored: fees and networks must be current. */
export function useWithdrawMethods() {
  return useQuery({ ...basicConfigQuery(), select: methodsOf });
}

const methodsOf = (config: BasicConfig) => config.withdraw_method_config;
