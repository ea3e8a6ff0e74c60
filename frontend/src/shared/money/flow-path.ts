import type { FlowKind } from '@/api/types';

/** The month on the user's own calendar, as the server cuts it too. */
export function monthOf(at: string | Date): string {
  const day = new Date(at);
  return `${day.getFullYear()}-${String(day.getMonth() + 1).padStart(2, '0')}`;
}

type Lines = {
  kind?: FlowKind;
  month?: string;
  /** In place of a month: from one moment on, up to, not including, the other. */
  stretch?: { from: string; until: string };
  /** The id of one of the user's plans. */
  plan?: string;
};

/** Where the lines of the statement are, those of one kind, time and plan alone. */
export function flowPath({ kind, month, stretch, plan }: Lines): string {
  const filter = new URLSearchParams({
    ...(month && { month }),
    ...stretch,
    ...(plan && { plan }),
    ...(kind && { kind }),
  });
  return `/wallet?${filter}`;
}
