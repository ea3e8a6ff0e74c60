import type { FlowKind, FlowRow } from '@/api/types';

/** Kinds whose names are the specification's and say little by themselves. */
const unclear: ReadonlySet<FlowKind> = new Set([
  'system_top_up',
  'manual_withdrawal',
  'ad_serving',
  'ad_billing',
  'system_chargeback',
  'virtual_recharge_deduction',
  'profit_sharing',
]);

/** The rows in which such a kind stands for the first time in the list, by their ids. */
export function firstOfKinds(pages: readonly { items: readonly FlowRow[] }[]): Set<string> {
  const first = new Map<FlowKind, string>();
  for (const row of pages.flatMap(({ items }) => items)) {
    const kind = row.billing ? 'ad_billing' : row.line?.kind;
    if (kind && unclear.has(kind) && !first.has(kind)) first.set(kind, row.id);
  }
  return new Set(first.values());
}
