import type { FlowKind } from '@/api/types';

/** The month on the user's own calendar, as the server cuts it too. */
export function monthOf(at: string | Date): string {
  const day = new Date(at);
  return `${day.getFullYear()}-${String(day.getMonth() + 1).padStart(2, '0')}`;
}

/** Where the lines of the statement are, those of one kind and of one month alone. */
export function flowPath({ kind, month }: { kind?: FlowKind; month?: string }): string {
  const filter = new URLSearchParams({ ...(month && { month }), ...(kind && { kind }) });
  return `/wallet?${filter}`;
}
