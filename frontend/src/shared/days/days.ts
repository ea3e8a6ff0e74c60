/**
 * The range of two days, each null if it is empty or not a day. Null if a year is mistyped, or if
 * the last day is before the first.
 */
export function rangeOf(from: string, to: string) {
  if (isFarAhead(from) || isFarAhead(to)) return null;
  const range = { from: isDay(from) ? from : null, to: isDay(to) ? to : null };
  const backwards = range.from && range.to && range.to < range.from;
  return backwards ? null : range;
}

/** `2026-02-30` looks like a day and is none; no figures are of another century. */
export function isDay(day: string): boolean {
  if (!/^2\d{3}-\d{2}-\d{2}$/.test(day)) return false;
  const at = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(day);
}

/** Whether the year has more than four digits: it is mistyped, and cannot be requested. */
export function isFarAhead(day: string): boolean {
  return /^\d{5}/.test(day);
}

/** The day that is this many days later, in the user's time zone. */
export function dayOf(now: Date, later: number): string {
  return dayText(new Date(now.getFullYear(), now.getMonth(), now.getDate() + later));
}

/** The day that a calendar on the wall shows. */
export function dayText(day: Date): string {
  const parts = [day.getFullYear(), day.getMonth() + 1, day.getDate()];
  return parts.map((part) => String(part).padStart(2, '0')).join('-');
}

/** How many days there are from the first to the last one, both included. */
export function daysIn(from: string, to: string): number {
  return (Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000 + 1;
}
