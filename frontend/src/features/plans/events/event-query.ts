import type { PlanEventKind } from '@/api/types';

export const eventKinds = ['impression', 'viewable', 'click', 'conversion'] as const;
/** The names of their lists. */
export const countTexts = {
  impression: 'plans.impressions',
  viewable: 'plans.events.kind.viewable',
  click: 'plans.clicks',
  conversion: 'plans.conversions',
} as const;
export const verdicts = ['all', 'counted', 'notCounted'] as const;
export type Verdict = (typeof verdicts)[number];

/** Which of a plan's events: the address of the list. */
export type EventQuery = {
  plan: string;
  kind: PlanEventKind;
  verdict: Verdict;
  /** The id of a line of the statement: only events on its bill. */
  line: string | null;
};

type Given = Partial<EventQuery> & { plan: string };

export function eventsPath({ plan, kind = 'impression', verdict = 'all', line = null }: Given) {
  const query = new URLSearchParams({
    plan,
    kind,
    ...(verdict !== 'all' && { verdict }),
    ...(line && { line }),
  });
  return `/plan/events?${query}`;
}

export function readEventQuery(search: URLSearchParams): EventQuery {
  const kind = search.get('kind');
  const verdict = search.get('verdict');
  return {
    plan: search.get('plan') ?? '',
    kind: eventKinds.find((known) => known === kind) ?? 'impression',
    verdict: verdicts.find((known) => known === verdict) ?? 'all',
    line: search.get('line'),
  };
}

/** Which one: the address of its page. */
export type OneEvent = { plan: string; kind: PlanEventKind; id: string };

export function eventPath({ plan, kind, id }: OneEvent) {
  return `/plan/event?${new URLSearchParams({ plan, kind, id })}`;
}

export function readOneEvent(search: URLSearchParams): OneEvent {
  const { plan, kind } = readEventQuery(search);
  return { plan, kind, id: search.get('id') ?? '' };
}
