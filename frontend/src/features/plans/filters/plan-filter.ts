import type { PlanSort, PlanStatus, SortOrder } from '@/api/types';
import { dayOf, rangeOf } from '@/shared/days/days';
import { longestSearch } from '@/ui/form/search-limit';
import { planStatuses } from '../plan-status';

/** When an amount was put on a plan: within so many days, or from one day to another. */
export type PutTime =
  | { within: '7' | '30' | null; from: null; to: null }
  | { within: null; from: string | null; to: string | null };

export type PlanFilter = {
  status: PlanStatus | null;
  /** The search text; empty if there is none. */
  search: string;
  product: string | null;
  /** The name of a site, an app, a publisher or a slot where it was shown; empty for any. */
  site: string;
  put: PutTime;
  sort: PlanSort;
  order: SortOrder;
};

export const sorts: readonly PlanSort[] = ['newest', 'profit', 'roi', 'consumed', 'conversions'];
const orders: readonly SortOrder[] = ['desc', 'asc'];
const spans = ['7', '30'] as const;

export const anyTime: PutTime = { within: null, from: null, to: null };

export const everyPlan: PlanFilter = {
  status: null,
  search: '',
  product: null,
  site: '',
  put: anyTime,
  sort: 'newest',
  order: 'desc',
};

/** Reads a filter from the address. Invalid parts are ignored. */
export function planFilterOf(params: URLSearchParams): PlanFilter {
  return {
    status: planStatuses.find((one) => one === params.get('status')) ?? null,
    search: searchOf(params.get('search')),
    product: productOf(params.get('product')),
    site: searchOf(params.get('site')),
    put: putTimeOf(params),
    sort: sorts.find((one) => one === params.get('sort')) ?? 'newest',
    order: orders.find((one) => one === params.get('order')) ?? 'desc',
  };
}

/** The other way round; what is as usual is not mentioned. */
export function addressOf({ put, sort, order, ...named }: PlanFilter): Record<string, string> {
  const { within, from, to } = put;
  const usual = sort === 'newest' ? null : sort;
  const all = {
    ...named,
    put: within,
    from,
    to,
    sort: usual,
    order: order === 'asc' ? order : null,
  };
  const given = Object.entries(all).filter(([, value]) => value);
  return Object.fromEntries(given) as Record<string, string>;
}

/** The query for the server. */
export function askedOf(filter: PlanFilter, now: Date) {
  const { status, product, site, put, search, ...sorted } = filter;
  const within = put.within && dayOf(now, 1 - Number(put.within));
  return {
    status,
    search: search || null,
    product_id: product,
    site: site || null,
    from: within || put.from,
    to: put.to,
    ...(sorted.sort !== 'newest' && { sort: sorted.sort }),
    ...(sorted.order !== 'desc' && { order: sorted.order }),
  };
}

/** How many of the filters are set that are not in sight. */
export function countSet({ product, site, put, sort, order }: PlanFilter): number {
  const sorted = sort !== 'newest' || order !== 'desc';
  return Number(product !== null) + Number(site !== '') + Number(isLimited(put)) + Number(sorted);
}

/** Whether only some of the plans with its status are listed. */
export function isNarrowed({ search, product, site, put }: PlanFilter): boolean {
  return search !== '' || product !== null || site !== '' || isLimited(put);
}

function isLimited({ within, from, to }: PutTime): boolean {
  return (within ?? from ?? to) !== null;
}

function searchOf(text: string | null): string {
  const search = text?.trim() ?? '';
  return [...search].length > longestSearch ? '' : search;
}

function productOf(id: string | null): string | null {
  return id !== null && /^\d{1,18}$/.test(id) ? id : null;
}

function putTimeOf(params: URLSearchParams): PutTime {
  const within = spans.find((days) => days === params.get('put')) ?? null;
  if (within) return { within, from: null, to: null };
  const range = rangeOf(params.get('from') ?? '', params.get('to') ?? '');
  return range ? { within: null, ...range } : anyTime;
}
