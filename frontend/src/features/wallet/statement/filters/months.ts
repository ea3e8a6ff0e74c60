import { monthOf } from '@/shared/money/flow-path';

/** No account is older; a date that makes no sense would offer months without end. */
const most = 600;

/** `2026-11` for this month and those before it down to the first, in the user's time zone. */
export function monthsSince(first: string, now: Date): string[] {
  const months = [];
  for (let back = 0; back < most; back += 1) {
    const month = monthOf(new Date(now.getFullYear(), now.getMonth() - back, 1));
    if (back > 0 && month < first) break;
    months.push(month);
  }
  return months;
}

/** The months with one more, which a link may have led to, newest first. */
export function withMonth(months: readonly string[], month: string | null): readonly string[] {
  if (month === null || months.includes(month)) return months;
  return [...months, month].sort((a, b) => b.localeCompare(a));
}
