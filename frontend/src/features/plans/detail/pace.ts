import type { PlanDetail } from '@/api/types';

const day = 86_400_000;

/** Which of a running plan's days it is, and how much of its time has passed (0 to 100). */
export function paceOf(plan: PlanDetail, now: number) {
  if (plan.status !== 'putting' || !plan.started_at) return null;
  const begun = Date.parse(plan.started_at);
  // Its user may let it end before its days are over.
  const whole = plan.due_at ? Date.parse(plan.due_at) - begun : plan.put_rule.days * day;
  const days = Math.max(1, Math.ceil(whole / day));
  const gone = Math.max(0, now - begun);
  return {
    day: Math.min(days, Math.floor(gone / day) + 1),
    days,
    time: whole > 0 ? Math.min(100, (gone / whole) * 100) : 100,
  };
}

/** Days of a running plan that are left, the one that has begun included. */
export function daysLeft(plan: PlanDetail, now: number): number | null {
  if (plan.status !== 'putting' || !plan.due_at) return null;
  return Math.max(0, Math.ceil((Date.parse(plan.due_at) - now) / day));
}
