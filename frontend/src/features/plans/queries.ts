import { useQuery } from '@tanstack/react-query';
import { listQuery, readQuery } from '@/api/queries/read';
import { serverDate } from '@/api/server-clock';
import type { Plan } from '@/api/types';
import type { ToCompare } from './compare/compare-address';
import { askedOf, isNarrowed, type PlanFilter } from './filters/plan-filter';
import { isRunning } from './plan-status';
import { goneRefusals, requireIds } from './require-ids';

const livePlanRefreshMs = 7000;

/** Enough for a user with several campaigns. */
const planPage = '30';

export function plansQuery(filter: PlanFilter) {
  const asked = askedOf(filter, serverDate());
  // Search results are not stored for use without a connection: installed/figures.ts.
  const list = isNarrowed(filter) ? 'found' : 'list';
  const query = { ...asked, limit: planPage };
  return listQuery(['plans', list, asked], '/plan/order/list', { query });
}

/** The badge is a detail: its failure must not hide the list. */
export const waitingCountQuery = readQuery(
  ['plans', 'waiting-count'],
  'POST',
  '/plan/order/await/put/count',
  { inline: ['network'] },
);

export function planQuery(id: string) {
  const options = { body: { id }, inline: goneRefusals };
  return requireIds(
    [id],
    readQuery(['plans', 'detail', id], 'POST', '/plan/order/detail', options),
  );
}

/** Fetched again every few seconds while something is being delivered. */
export function usePlan(id: string) {
  return useQuery({
    ...planQuery(id),
    refetchInterval: ({ state }) => (isLive(state.data) ? livePlanRefreshMs : false),
  });
}

type SeriesStep = 'day' | 'hour';

/** A plan's figures by day, or by hour of the day that contains a moment. */
export function planSeriesQuery(id: string, step: SeriesStep, within: string | null) {
  const key = ['plans', 'series', id, step, within] as const;
  const options = { query: { plan_id: id, step, within }, inline: goneRefusals };
  return requireIds([id], readQuery(key, 'GET', '/plan/order/series', options));
}

export function usePlanSeries(plan: Plan, step: SeriesStep, within: string | null) {
  return useQuery({
    ...planSeriesQuery(plan.id, step, within),
    refetchInterval: isLive(plan) ? 2 * livePlanRefreshMs : false,
  });
}

function isLive(plan: Plan | undefined): boolean {
  return plan !== undefined && isRunning(plan);
}

export function productQuery(id: string) {
  const options = { body: { product_id: id }, inline: goneRefusals };
  return requireIds([id], readQuery(['product', id], 'POST', '/plan/order/app/detail', options));
}

/** Two to four plans or products side by side. */
export function compareQuery({ of, named }: ToCompare) {
  const list = named.join(',');
  const query = of === 'ids' ? { ids: list } : { products: list };
  const options = { query, inline: goneRefusals };
  return readQuery(['plans', 'compare', of, list], 'GET', '/plan/compare', options);
}

/** The products of the user's plans, which come with the list of these. */
export const ownProductsQuery = readQuery(['plans', 'products'], 'GET', '/plan/order/list', {
  query: { limit: '1' },
  inline: ['network'],
});

/** Beside what the product offers, which its failure does not hide. */
export function productResultsQuery(product: string) {
  const options = { query: { product_id: product }, inline: goneRefusals };
  const query = readQuery(['plans', 'results', product], 'GET', '/plan/product/results', options);
  return requireIds([product], query);
}
