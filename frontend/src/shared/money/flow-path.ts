import type { FlowKind } from '@/api/types';
import type { Place } from '@/pages';

/** The month in the user's time zone, as on the server. */
export function monthOf(at: string | Date): string {
  const day = new Date(at);
  return `${day.getFullYear()}-${String(day.getMonth() + 1).padStart(2, '0')}`;
}

type Lines = {
  kind?: FlowKind;
  month?: string;
  /** Instead of a month: from one time on, up to the other, excluded. */
  stretch?: { from: string; until: string };
  /** The id of one of the user's plans. */
  plan?: string;
};

/** The address of the statement, filtered by kind, time and plan. */
export function flowPath({ kind, month, stretch, plan }: Lines): Place {
  const filter = new URLSearchParams({
    ...(month && { month }),
    ...stretch,
    ...(plan && { plan }),
    ...(kind && { kind }),
  });
  return `/wallet?${filter}`;
}
