import type { FlowKind } from '@/api/types';
import type { Place } from '@/pages';
import { dayText } from '@/shared/days/days';

/** The month in the user's time zone, as on the server. */
export function monthOf(at: string | Date): string {
  return dayText(new Date(at)).slice(0, 7);
}

type Lines = {
  kind?: FlowKind | null;
  month?: string | null;
  /** Instead of a month: from one time on, up to the other, excluded. */
  stretch?: { from: string; until: string } | null;
  /** The id of one of the user's plans. */
  plan?: string | null;
};

/** The address of the statement, filtered by kind, time and plan. */
export function flowPath(lines: Lines): Place {
  return `/wallet?${new URLSearchParams(flowQuery(lines))}`;
}

/** The filter in that address. */
export function flowQuery({ kind, month, stretch, plan }: Lines): Record<string, string> {
  return { ...(month && { month }), ...stretch, ...(plan && { plan }), ...(kind && { kind }) };
}
