import { queryString } from '@/api/call';
import { timeZoneHeader } from '@/api/time-zone';

/** One of the overview's periods, as the user's calendar has it. */
export function statisticsPath(type: number): string {
  const query = { type, user_time_zone: timeZoneHeader() };
  return `/ad/order/data_statistics/list${queryString(query)}`;
}
