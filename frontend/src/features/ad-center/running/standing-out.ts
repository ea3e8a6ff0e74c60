import type { ListedPlan } from '@/api/types';

type Found = { best: ListedPlan[]; newest: ListedPlan[]; worst: ListedPlan[] };

/** The plans worth a look, each once: from the best to the worst, the newest between them. */
export function standingOut({ best, newest, worst }: Found): ListedPlan[] {
  const inOrder = [...best, ...newest, ...worst.slice().reverse()];
  return [...new Map(inOrder.map((plan) => [plan.id, plan])).values()];
}
