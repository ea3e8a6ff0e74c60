import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { call } from '@/api/call';
import { timeZoneHeader } from '@/api/time-zone';
import type { Page, Product, Statistics } from '@/api/types';
import { AD_DATA_REFRESH_MS } from '@/app/constants';

export const periods = { today: 1, week: 2, month: 3, all: 4 } as const;
export type Period = keyof typeof periods;

export function useStatistics(period: Period, enabled: boolean) {
  return useQuery({
    queryKey: ['statistics', period],
    enabled,
    queryFn: ({ signal }) =>
      call<Statistics>('GET', '/ad/order/data_statistics/list', {
        query: { type: periods[period], user_time_zone: timeZoneHeader() },
        signal,
      }),
    refetchInterval: AD_DATA_REFRESH_MS,
    placeholderData: keepPreviousData,
  });
}

export function useProducts() {
  return useInfiniteQuery({
    queryKey: ['products'],
    queryFn: ({ pageParam, signal }) =>
      call<Page<Product>>('GET', '/products', { query: { cursor: pageParam }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });
}
