import type { FlowPlan, PlanEventKind } from '@/api/types';
import type { Place } from '@/pages';

export type Verdict = 'all' | 'counted' | 'notCounted';

/** Which of a plan's events: the address of the list. */
export type EventQuery = {
  plan: string;
  kind: PlanEventKind;
  verdict: Verdict;
  /** The id of a line of the statement: only events on its bill, or that it gives back for. */
  line: string | null;
};

type Given = Partial<EventQuery> & { plan: string };

export function eventsPath(props: Given): Place {
  const { plan, kind = 'impression', verdict = 'all', line = null } = props;
  const query = new URLSearchParams({
    plan,
    kind,
    ...(verdict !== 'all' && { verdict }),
    ...(line && { line }),
  });
  return `/plan/events?${query}`;
}

/** The address of the events of a line of the statement: of a charge, or of a refund for events. */
export function chargedPath(plan: FlowPlan, line: string) {
  const kind = plan.pricing === 'cpc' ? 'click' : 'impression';
  return eventsPath({ plan: plan.id, kind, verdict: 'counted', line });
}
