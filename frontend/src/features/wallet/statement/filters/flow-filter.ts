import type { FlowDirection, FlowKind } from '@/api/types';
import { flowQuery } from '@/shared/money/flow-path';
import { flowKindNames } from '../flow-kinds';

/** A period from one time to another, which is excluded. */
export type Stretch = { from: string; until: string };

export type FlowFilter = {
  month: string | null;
  /** Never together with a month. */
  stretch: Stretch | null;
  plan: string | null;
  kind: FlowKind | null;
  /** Never together with a kind. */
  direction: FlowDirection | null;
  /** The search text; empty if there is none. */
  search: string;
};

export const everyRow: FlowFilter = {
  month: null,
  stretch: null,
  plan: null,
  kind: null,
  direction: null,
  search: '',
};

export const directions: readonly FlowDirection[] = ['in', 'out'];

/**
 * Reads a filter from the address, so that a link can lead to some of the rows, and coming back
 * keeps the filter.
 */
export function flowFilterOf(params: URLSearchParams): FlowFilter {
  const stretch = stretchOf(params);
  const kind = flowKindNames.find((one) => one === params.get('kind')) ?? null;
  const direction = directions.find((one) => one === params.get('direction')) ?? null;
  return {
    month: stretch ? null : monthOf(params),
    stretch,
    plan: params.get('plan') || null,
    kind,
    direction: kind ? null : direction,
    search: params.get('search') ?? '',
  };
}

/** The other way round. */
export function addressOf({ direction, search, ...lines }: FlowFilter): Record<string, string> {
  return { ...flowQuery(lines), ...(direction && { direction }), ...(search && { search }) };
}

/** Rows of one plan or period say nothing about whole months. */
export function hasMonths({ stretch, plan }: FlowFilter): boolean {
  return !stretch && !plan;
}

/** Whether only a part of a month's rows is listed. */
export function isNarrowed(filter: FlowFilter): boolean {
  const { stretch, plan, kind, direction, search } = filter;
  return (stretch ?? plan ?? kind ?? direction) !== null || search !== '';
}

export function isFiltered(filter: FlowFilter): boolean {
  return filter.month !== null || isNarrowed(filter);
}

function monthOf(params: URLSearchParams): string | null {
  const month = params.get('month') ?? '';
  return /^\d{4}-(0[1-9]|1[0-2])$/.test(month) ? month : null;
}

function stretchOf(params: URLSearchParams): Stretch | null {
  const [from, until] = [params.get('from') ?? '', params.get('until') ?? ''];
  return Date.parse(from) < Date.parse(until) ? { from, until } : null;
}
