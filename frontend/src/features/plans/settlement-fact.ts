import type { TFunction } from 'i18next';
import type { Plan } from '@/api/types';
import { formatDate } from '@/i18n/format';
import type { Fact } from '@/ui/display/Facts';

type Settled = Pick<Plan, 'settled_at' | 'settles_at'>;

/** When revenue was settled, or is going to be: then with a hint. */
export function settlementFact(
  { settled_at: settled, settles_at: settles }: Settled,
  t: TFunction,
  hint?: string,
): Fact | null {
  if (settled) return { label: t('plans.settledOn'), value: formatDate(settled) };
  return settles ? { label: t('plans.settlesOn'), value: formatDate(settles), hint } : null;
}
