import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '@/api/call';
import { readQuery } from '@/api/queries/read';
import { timeZoneHeader } from '@/api/time-zone';
import type { ListedPlan, PlanSort, SortOrder } from '@/api/types';
import { AD_DATA_REFRESH_MS } from '@/shared/config/constants';

export const periods = { today: '1', week: '2', month: '3', all: '4' } as const;
export type Period = keyof typeof periods;

export function statisticsQuery(period: Period) {
  const query = { type: periods[period], user_time_zone: timeZoneHeader() };
  return readQuery(['statistics', period], 'GET', '/ad/order/data_statistics/list', { query });
}

export function useStatistics(period: Period) {
  return useQuery({
    ...statisticsQuery(period),
    refetchInterval: AD_DATA_REFRESH_MS,
    placeholderData: keepPreviousData,
  });
}

/** At most five plans. The server sorts them, so a user with many plans does not fetch more. */
export const runningPlansQuery = queryOptions({
  queryKey: ['plans', 'top'],
  refetchInterval: AD_DATA_REFRESH_MS,
  queryFn: async ({ signal }) => {
    const list = async (sort: PlanSort, order: SortOrder, limit: string) => {
      const query = { status: 'putting', sort, order, limit } as const;
      const page = await call('GET', '/plan/order/list', { query, signal, inline: ['network'] });
      return page.items;
    };
    const [best, newest, worst] = await Promise.all([
      list('roi', 'desc', '2'),
      list('newest', 'desc', '1'),
      list('roi', 'asc', '2'),
    ]);
    return standingOut({ best, newest, worst });
  },
});

type Found = { best: ListedPlan[]; newest: ListedPlan[]; worst: ListedPlan[] };

/** The plans worth a look, each once: from the best to the worst, the newest between them. */
export function standingOut({ best, newest, worst }: Found): ListedPlan[] {
  const inOrder = [...best, ...newest, ...worst.slice().reverse()];
  return [...new Map(inOrder.map((plan) => [plan.id, plan])).values()];
}
