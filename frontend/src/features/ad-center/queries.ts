import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { readQuery } from '@/api/queries/read';
import { timeZoneHeader } from '@/api/time-zone';
import { AD_DATA_REFRESH_MS } from '@/shared/config/constants';

export const periods = { today: '1', week: '2', month: '3', all: '4' } as const;
export type Period = keyof typeof periods;

export function statisticsQuery(period: Period) {
  const query = { type: periods[period], user_time_zone: timeZoneHeader() };
  return readQuery(['statistics', period], 'GET', '/ad/order/data_statistics/list', { query });
}

export function useStatistics(period: Period, enabled: boolean) {
  return useQuery({
    ...statisticsQuery(period),
    enabled,
    refetchInterval: AD_DATA_REFRESH_MS,
    placeholderData: keepPreviousData,
  });
}
