import type { FlowPage } from '@/api/types';
import { monthOf } from '@/shared/money/flow-path';

export type Month = FlowPage['months'][number];

/** `2026-11` for this month and the ones before it, in the user's time zone. */
export function recentMonths(now: Date, count: number): string[] {
  return Array.from({ length: count }, (_, back) => {
    return monthOf(new Date(now.getFullYear(), now.getMonth() - back, 1));
  });
}

/** What is known about each month from the pages read so far, oldest first. */
export function knownMonths(pages: readonly FlowPage[], most: number): Month[] {
  const months = new Map(pages.flatMap((page) => page.months).map((one) => [one.month, one]));
  return [...months.values()].sort((a, b) => a.month.localeCompare(b.month)).slice(-most);
}
