import { formatDate, formatDateTime, formatRange, formatShortTime } from '@/i18n/format';
import type { Stretch } from './flow-filter';

/** Whole days by their dates, anything else by its times. */
export function stretchName({ from, until }: Stretch): string {
  if (isMidnight(from) && isMidnight(until)) {
    // Taken at its noon, because clocks may have been changed on the last day.
    const last = Date.parse(until) - 12 * 3_600_000;
    return formatRange(formatDate(from), formatDate(last));
  }
  const sameDay = formatDate(from) === formatDate(Date.parse(until) - 1);
  const last = sameDay ? formatShortTime(until) : formatDateTime(until);
  return formatRange(formatDateTime(from), last);
}

/** The beginning of the day: up to two hours later if clocks are put forward at midnight. */
function isMidnight(at: string): boolean {
  const moment = new Date(at);
  const day = new Date(moment.getFullYear(), moment.getMonth(), moment.getDate());
  return day.getTime() === moment.getTime();
}
