import type { FlowPage } from '@/api/types';

export type Month = FlowPage['months'][number];

/** `2026-11` for this month and the ones before it, on the user's own calendar. */
export function recentMonths(now: Date, count: number): string[] {
  return Array.from({ length: count }, (_, back) => {
    return monthOf(new Date(now.getFullYear(), now.getMonth() - back, 1));
  });
}

/** The month on the user's own calendar, as the server cuts it too. */
export function monthOf(at: string | Date): string {
  const day = new Date(at);
  return `${day.getFullYear()}-${String(day.getMonth() + 1).padStart(2, '0')}`;
}

/** What the pages read so far know of each month, the oldest first. */
export function knownMonths(pages: readonly FlowPage[], most: number): Month[] {
  const months = new Map(pages.flatMap((page) => page.months).map((one) => [one.month, one]));
  return [...months.values()].sort((a, b) => a.month.localeCompare(b.month)).slice(-most);
}
