import type { FlowKind } from '@/api/types';
import { flowKindNames } from '../flow-kinds';
import { recentMonths } from './months';

/** From one time on, up to the other, excluded. */
export type Stretch = { from: string; until: string };

export type FlowFilter = {
  month: string | null;
  /** Never together with a month. */
  stretch: Stretch | null;
  plan: string | null;
  kind: FlowKind | null;
};

export const everyLine: FlowFilter = { month: null, stretch: null, plan: null, kind: null };

const monthsOffered = 24;

/** The months to choose from. */
export function offeredMonths(): string[] {
  return recentMonths(new Date(), monthsOffered);
}

/**
 * From the address, so that a link can lead to some of the lines, and coming back keeps the filter.
 */
export function flowFilterOf(
  search: URLSearchParams,
  months: readonly string[] = offeredMonths(),
): FlowFilter {
  const stretch = stretchOf(search);
  const month = stretch ? null : (months.find((one) => one === search.get('month')) ?? null);
  const kind = flowKindNames.find((one) => one === search.get('kind')) ?? null;
  return { month, stretch, plan: search.get('plan') || null, kind };
}

/** Lines of one plan or period say nothing about whole months. */
export function hasMonths({ stretch, plan }: FlowFilter): boolean {
  return !stretch && !plan;
}

function stretchOf(params: URLSearchParams): Stretch | null {
  const [from, until] = [params.get('from') ?? '', params.get('until') ?? ''];
  return Date.parse(from) < Date.parse(until) ? { from, until } : null;
}
