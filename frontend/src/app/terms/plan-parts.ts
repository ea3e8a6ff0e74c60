import type { Plan } from '@/api/types';
import { addDecimals, compareDecimals, isPositive, subtractDecimals } from '@/ui/decimal';

/** A plan and what it has of a figure of the wallet. */
export type PlanPart = { plan: Plan; amount: string };

/**
 * The user's own money that a plan still holds. A coupon's part and promotional credit are spent
 * first, so what is left is own money up to what was paid.
 */
function heldOf(plan: Plan, decimals: number): string {
  const unbilled = subtractDecimals(plan.put_amount, plan.consumed, decimals);
  const left = subtractDecimals(unbilled, plan.returned, decimals);
  return compareDecimals(left, plan.paid_amount) < 0 ? left : plan.paid_amount;
}

const amounts = { toBeConsumed: heldOf, toBeSettled: (plan: Plan) => plan.revenue };
export type PlanTerm = keyof typeof amounts;

export function isPlanTerm(term: string): term is PlanTerm {
  return term in amounts;
}

/** The plans that have a part in a figure, each with its own. */
export function planParts(plans: readonly Plan[], term: PlanTerm, decimals: number): PlanPart[] {
  return plans
    .map((plan) => ({ plan, amount: amounts[term](plan, decimals) }))
    .filter(({ amount }) => isPositive(amount));
}

export function sumOf(parts: readonly PlanPart[], decimals: number): string {
  return parts.reduce((sum, { amount }) => addDecimals(sum, amount, decimals), '0');
}

/** The first day on which something of it is settled, where one is known. */
export function nextSettlement(parts: readonly PlanPart[]): string | null {
  const days = parts.flatMap(({ plan }) => plan.settles_at ?? []);
  return days.sort()[0] ?? null;
}
