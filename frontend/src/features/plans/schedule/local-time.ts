import { dayText } from '@/shared/days/days';

/** A moment as a field for date and time shows it, by the clocks of this device: 2026-11-30T08:00. */
export function toLocal(at: string | null): string {
  if (!at) return '';
  const moment = new Date(at);
  return `${dayText(moment)}T${moment.toTimeString().slice(0, 5)}`;
}

/** The moment that was typed; what was there before stays exact where it was not changed. */
export function fromLocal(text: string, before: string | null): string | null {
  if (text === toLocal(before)) return before;
  const moment = new Date(text);
  return Number.isNaN(moment.getTime()) ? null : moment.toISOString();
}
