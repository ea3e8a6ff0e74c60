import { readQuery } from '@/api/queries/read';
import { serverDate } from '@/api/server-clock';
import { timeZoneHeader } from '@/api/time-zone';
import type { ReportBy } from '@/api/types';
import { type DayRange, type ReportChoice, rangeOfDays } from './report-choice';

/** The query of a report, for the page and for its files. */
export function askedFor(range: DayRange, by: ReportBy) {
  return { ...range, by, user_time_zone: timeZoneHeader() };
}

export function reportQuery({ days, by }: Pick<ReportChoice, 'days' | 'by'>) {
  const range = rangeOfDays(days, serverDate());
  return readQuery(['report', by, range.from, range.to], 'GET', '/report', {
    query: askedFor(range, by),
  });
}
