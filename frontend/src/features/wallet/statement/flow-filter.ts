import { useSearchParams } from 'react-router-dom';
import type { FlowKind } from '@/api/types';
import { formatDate, formatDateTime, formatShortTime } from '@/i18n/format';
import { flowKindNames } from './flow-kinds';

/** From one moment on, up to, not including, the other. */
export type Stretch = { from: string; until: string };

export type FlowFilter = {
  month: string | null;
  /** Never beside a month. */
  stretch: Stretch | null;
  plan: string | null;
  kind: FlowKind | null;
};

export const everyLine: FlowFilter = { month: null, stretch: null, plan: null, kind: null };

/** In the address: a link may lead to some of the lines, and who comes back finds them chosen. */
export function useFlowFilter(
  months: readonly string[],
): [FlowFilter, (filter: FlowFilter) => void] {
  const [params, setParams] = useSearchParams();
  const stretch = stretchOf(params);
  const month = stretch ? null : (months.find((one) => one === params.get('month')) ?? null);
  const kind = flowKindNames.find((one) => one === params.get('kind')) ?? null;
  const setFilter = ({ month, stretch, plan, kind }: FlowFilter) =>
    setParams(
      { ...(month && { month }), ...stretch, ...(plan && { plan }), ...(kind && { kind }) },
      { replace: true },
    );
  return [{ month, stretch, plan: params.get('plan') || null, kind }, setFilter];
}

function stretchOf(params: URLSearchParams): Stretch | null {
  const [from, until] = [params.get('from') ?? '', params.get('until') ?? ''];
  return Date.parse(from) < Date.parse(until) ? { from, until } : null;
}

/** Whole days by their dates, anything else by its times. */
export function stretchName({ from, until }: Stretch): string {
  if (isMidnight(from) && isMidnight(until)) {
    // Seen from its noon, since clocks may have been changed on the last day.
    const last = new Date(Date.parse(until) - 12 * 3_600_000).toISOString();
    return joined(formatDate(from), formatDate(last));
  }
  const lastMoment = new Date(Date.parse(until) - 1).toISOString();
  const sameDay = formatDate(from) === formatDate(lastMoment);
  return joined(formatDateTime(from), sameDay ? formatShortTime(until) : formatDateTime(until));
}

const joined = (first: string, last: string) => (first === last ? first : `${first} – ${last}`);

/** Where the day begins: an hour or two later where clocks are put forward at midnight. */
function isMidnight(at: string): boolean {
  const moment = new Date(at);
  const day = new Date(moment.getFullYear(), moment.getMonth(), moment.getDate());
  return day.getTime() === moment.getTime();
}
