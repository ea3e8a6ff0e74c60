import type { StatisticsPoint } from '@/api/types';
import { formatDate, formatRange, formatShortTime } from '@/i18n/format';
import type { Period } from '../queries';

const hour = 3_600_000;
const day = 24 * hour;

/** The end of a step: the beginning of the next one, or the end of its hour or day. */
export function stepEnd(series: readonly StatisticsPoint[], at: number, period: Period): string {
  const next = series[at + 1]?.at;
  if (next) return next;
  const start = new Date(series[at]?.at ?? 0);
  const end =
    period === 'today'
      ? new Date(start.getTime() + hour)
      : new Date(start.getFullYear(), start.getMonth(), start.getDate() + 1);
  return end.toISOString();
}

/** The period of a step: an hour, a day, or a week. */
export function stepName(series: readonly StatisticsPoint[], at: number, period: Period): string {
  const from = series[at]?.at;
  if (!from) return '';
  if (period === 'today') {
    return `${formatShortTime(from)} – ${formatShortTime(Date.parse(from) + hour)}`;
  }
  const next = series[at + 1]?.at;
  // The last day of a week, taken at its noon in case clocks were changed.
  const until = next ? Date.parse(next) - day / 2 : from;
  return formatRange(formatDate(from), formatDate(until));
}
