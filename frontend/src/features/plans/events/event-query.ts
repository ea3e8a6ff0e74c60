import type { PlanEventKind } from '@/api/types';
import type { Place } from '@/pages';
import type { EventQuery, Verdict } from '@/shared/money/events-path';

export const eventKinds = ['impression', 'viewable', 'click', 'conversion'] as const;
/** The names of their lists. */
export const countTexts = {
  impression: 'plans.impressions',
  viewable: 'plans.events.kind.viewable',
  click: 'plans.clicks',
  conversion: 'plans.conversions',
} as const;
export const verdicts: Verdict[] = ['all', 'counted', 'notCounted'];
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

export function eventPath({ plan, kind, id }: OneEvent): Place {
  return `/plan/event?${new URLSearchParams({ plan, kind, id })}`;
}

export function readOneEvent(search: URLSearchParams): OneEvent {
  const { plan, kind } = readEventQuery(search);
  return { plan, kind, id: search.get('id') ?? '' };
}
