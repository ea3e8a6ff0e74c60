import type { ReportBy } from '@/api/types';
import type { Place } from '@/pages';
import { dayOf, daysIn, dayText, isDay } from '@/shared/days/days';

/** From the first day to the last one. */
export type DayRange = { from: string; to: string };

export const presets = [
  'today',
  'yesterday',
  'last7',
  'thisWeek',
  'lastWeek',
  'thisMonth',
  'lastMonth',
] as const;
export type Preset = (typeof presets)[number];

export const kinds: readonly ReportBy[] = [
  'day',
  'plan',
  'product',
  'placement',
  'form',
  'device',
  'region',
];

export const measures = [
  'profit',
  'return_on_spend',
  'consumed',
  'revenue',
  'impressions',
  'clicks',
  'conversions',
] as const;
export type Measure = (typeof measures)[number];

export const columns = ['name', 'now', 'before'] as const;
export type Column = (typeof columns)[number];
export type Sorting = { column: Column; order: 'asc' | 'desc' };

export type ReportChoice = {
  /** Days that go with the calendar, or those that were chosen. */
  days: Preset | DayRange;
  by: ReportBy;
  measure: Measure;
  /** Null as long as nothing else is chosen: days in order of time, and what has most first. */
  sorting: Sorting | null;
};

/** The server takes a year and a day. */
export const mostDays = 366;

/** Reads a choice from the address. Invalid parts are ignored. */
export function reportChoiceOf(params: URLSearchParams): ReportChoice {
  const named = <V extends string>(values: readonly V[], name: string) =>
    values.find((value) => value === params.get(name));
  const column = named(columns, 'sort');
  return {
    days: rangeIn(params) ?? named(presets, 'days') ?? 'last7',
    by: named(kinds, 'by') ?? 'day',
    measure: named(measures, 'measure') ?? 'profit',
    sorting: column ? { column, order: params.get('order') === 'asc' ? 'asc' : 'desc' } : null,
  };
}

function rangeIn(params: URLSearchParams): DayRange | null {
  const [from, to] = [params.get('from') ?? '', params.get('to') ?? ''];
  return rangeProblem(from, to) === null ? { from, to } : null;
}

/** Why the days cannot be reported on; null if they can. */
export function rangeProblem(from: string, to: string): 'missing' | 'backwards' | 'tooMany' | null {
  if (!isDay(from) || !isDay(to)) return 'missing';
  if (to < from) return 'backwards';
  return daysIn(from, to) > mostDays ? 'tooMany' : null;
}

/** The other way round; what is as usual is not mentioned. */
export function addressOf({ days, by, measure, sorting }: ReportChoice): Record<string, string> {
  const named = typeof days === 'string' ? { days } : days;
  return {
    ...(days !== 'last7' && named),
    ...(by !== 'day' && { by }),
    ...(measure !== 'profit' && { measure }),
    ...(sorting && { sort: sorting.column, order: sorting.order }),
  };
}

export function reportPath(choice: ReportChoice): Place {
  return `/report?${new URLSearchParams(addressOf(choice))}`;
}

/** The days in the user's zone. Weeks begin on Monday. */
export function rangeOfDays(days: Preset | DayRange, now: Date): DayRange {
  if (typeof days !== 'string') return days;
  const [year, month] = [now.getFullYear(), now.getMonth()];
  const sinceMonday = (now.getDay() + 6) % 7;
  const until = (first: number, last: number) => ({
    from: dayOf(now, first),
    to: dayOf(now, last),
  });
  switch (days) {
    case 'today':
      return until(0, 0);
    case 'yesterday':
      return until(-1, -1);
    case 'last7':
      return until(-6, 0);
    case 'thisWeek':
      return until(-sinceMonday, 0);
    case 'lastWeek':
      return until(-sinceMonday - 7, -sinceMonday - 1);
    case 'thisMonth':
      return { from: dayText(new Date(year, month, 1)), to: dayOf(now, 0) };
    case 'lastMonth':
      return { from: dayText(new Date(year, month - 1, 1)), to: dayText(new Date(year, month, 0)) };
  }
}
