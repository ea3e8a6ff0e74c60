import type { TFunction } from 'i18next';
import { serverNow } from '@/api/server-clock';
import type { Plan } from '@/api/types';
import { formatDateTime } from '@/i18n/format';

type Scheduled = Pick<Plan, 'begins_at' | 'opens_at'>;

/** Whether its start is still to come. */
export function isAhead({ begins_at: begins }: Pick<Plan, 'begins_at'>): boolean {
  return begins !== null && Date.parse(begins) > serverNow();
}

/** Why a running plan is not shown now, and until when; null if it is. */
export function closedText(plan: Scheduled, t: TFunction): string | null {
  if (!plan.opens_at) return null;
  const time = formatDateTime(plan.opens_at);
  return t(isAhead(plan) ? 'plans.schedule.begins' : 'plans.schedule.closed', { time });
}
