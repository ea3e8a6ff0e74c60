import type { TFunction } from 'i18next';
import type { Plan, PlanStatus } from '@/api/types';
import type { Tone } from '@/ui/display/StatusTag';

/** In the order of a plan's life. */
export const planStatuses = [
  'waiting_to_put',
  'matching',
  'putting',
  'put_failed',
  'put_finished',
  'waiting_settlement',
  'settled',
] as const satisfies readonly PlanStatus[];

/** The one that the address of the list names. */
export function statusOf(search: URLSearchParams): PlanStatus | null {
  return planStatuses.find((one) => one === search.get('status')) ?? null;
}

export const statusTones: Record<PlanStatus, Tone> = {
  waiting_to_put: 'warning',
  matching: 'accent',
  putting: 'accent',
  put_failed: 'negative',
  put_finished: 'neutral',
  waiting_settlement: 'warning',
  settled: 'positive',
};

const knownReasons = [
  'offered',
  'put',
  'first_delivery',
  'no_supply',
  'rejected',
  'budget_used',
  'end_date',
  'stopped_by_user',
  'deliveries_closed',
  'window_closed',
] as const;

type Reasoned = Pick<Plan, 'reason' | 'paused' | 'followed_id'>;

/** Empty for one this version has no words for: better silent than cryptic. */
export function reasonText({ reason, paused, followed_id: id }: Reasoned, t: TFunction): string {
  if (paused) return t('plans.pausedNow');
  if (reason === 'offered' && id) return t('operated.offerFrom', { id });
  const known = knownReasons.find((one) => one === reason);
  return known ? t(`plans.reason.${known}`) : '';
}
