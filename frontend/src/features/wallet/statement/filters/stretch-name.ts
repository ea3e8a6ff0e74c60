import { formatDate, formatDateTime, formatShortTime } from '@/i18n/format';
import type { Stretch } from './flow-filter';

/** Whole days by their dates, anything else by its times. */
export function stretchName({ from, until }: Stretch): string {
  if (isMidnight(from) && isMidnight(until)) {
    // Taken at its noon, because clocks may have been changed on the last day.
    const last = new Date(Date.parse(until) - 12 * 3_600_000).toISOString();
    return joined(formatDate(from), formatDate(last));
  }
  const lastMoment = new Date(Date.parse(until) - 1).toISOString();
  const sameDay = formatDate(from) === formatDate(lastMoment);
  return joined(formatDateTime(from), sameDay ? formatShortTime(until) : formatDateTime(until));
}

const joined = (first: string, last: string) => (first === last ? first : `${first} – ${last}`);

/** The beginning of the day: up to two hours later if clocks are put forward at midnight. */
function isMidnight(at: string): boolean {
  const moment = new Date(at);
  const day = new Date(moment.getFullYear(), moment.getMonth(), moment.getDate());
  return day.getTime() === moment.getTime();
}
