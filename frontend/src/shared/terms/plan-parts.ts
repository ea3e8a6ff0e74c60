import type { Plan } from '@/api/types';
import { addDecimals, isPositive, shareOf } from '@/ui/money/decimal';

/** A plan and its part of a figure of the wallet. */
type PlanPart = { plan: Plan; amount: string };

const amounts = {
  toBeConsumed: (plan: Plan) => plan.to_be_consumed,
  toBeSettled: (plan: Plan) => plan.revenue,
  feesDue: (plan: Plan) => shareOf(plan.revenue, plan.fee_rate),
};
export type PlanTerm = keyof typeof amounts;

export function isPlanTerm(term: string): term is PlanTerm {
  return term in amounts;
}

/** The plans that contribute to a figure, with their parts. */
export function planParts(plans: readonly Plan[], term: PlanTerm): PlanPart[] {
  return plans
    .map((plan) => ({ plan, amount: amounts[term](plan) }))
    .filter(({ amount }) => isPositive(amount));
}

export function sumOf(parts: readonly PlanPart[]): string {
  return parts.reduce((sum, { amount }) => addDecimals(sum, amount), '0');
}

/** The first day when something of it is settled, if known. */
export function nextSettlement(parts: readonly PlanPart[]): string | null {
  const days = parts.flatMap(({ plan }) => plan.settles_at ?? []);
  return days.sort()[0] ?? null;
}
