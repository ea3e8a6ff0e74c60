import type { PlanDetail } from '@/api/types';

const day = 86_400_000;

/** Which of a running plan's days it is, and how much of its time has passed (0 to 100). */
export function paceOf(plan: PlanDetail, now: number) {
  if (plan.status !== 'putting' || !plan.started_at) return null;
  const days = plan.put_rule.days;
  const gone = Math.max(0, now - Date.parse(plan.started_at));
  return {
    day: Math.min(days, Math.floor(gone / day) + 1),
    days,
    time: Math.min(100, (gone / (days * day)) * 100),
  };
}

/** Days of a running plan that are left, the one that has begun included. */
export function daysLeft(plan: PlanDetail, now: number): number | null {
  if (plan.status !== 'putting' || !plan.due_at) return null;
  return Math.max(0, Math.ceil((Date.parse(plan.due_at) - now) / day));
}
