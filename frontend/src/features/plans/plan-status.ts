import type { ParseKeys, TFunction } from 'i18next';
import type { Plan, PlanStatus } from '@/api/types';
import { formatDate } from '@/i18n/format';
import type { Fact } from '@/ui/display/Facts';
import type { Tone } from '@/ui/display/StatusTag';
import { shareOf } from '@/ui/money/decimal';

/** In the order of a plan's life. */
export const statusTones: Record<PlanStatus, Tone> = {
  waiting_to_put: 'warning',
  matching: 'accent',
  putting: 'accent',
  put_failed: 'negative',
  put_finished: 'neutral',
  waiting_settlement: 'warning',
  // Not green: a settled plan may have lost money.
  settled: 'neutral',
};

export const planStatuses = Object.keys(statusTones) as PlanStatus[];

/** While it can be paused, resumed, stopped or given more. */
export function isRunning({ status }: Pick<Plan, 'status'>): boolean {
  return status === 'matching' || status === 'putting';
}

type Reasoned = Pick<Plan, 'reason' | 'paused' | 'followed_id'>;

/** Empty for a reason that this version has no text for. */
export function reasonText({ reason, paused, followed_id: id }: Reasoned, t: TFunction): string {
  if (paused) return t('plans.pausedNow');
  if (reason === 'offered' && id) return t('operated.offerFrom', { id });
  const key = `plans.reason.${reason}` as const satisfies ParseKeys;
  return t(key, { defaultValue: '' });
}

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

type Charged = Pick<Plan, 'status' | 'fee' | 'revenue' | 'fee_rate'>;

/**
 * The fee that settlement took, or would take from the revenue so far. It is subtracted from the
 * profit either way.
 */
export function feeOf({ status, fee, revenue, fee_rate: rate }: Charged): string {
  return status === 'settled' ? fee : shareOf(revenue, rate);
}
