import type { Plan } from '@/api/types';
import { formatHour, formatRange, formatWeekday } from '@/i18n/format';

/** Seven days from Monday on, each with a 1 for an open hour; null for all hours. */
type Hours = Plan['hours'];

/** The open hours of a day, from one up to another. */
export type Span = { from: number; to: number };

export const presetNames = ['all', 'work', 'evenings', 'own'] as const;
export type Preset = (typeof presetNames)[number];

const closed = '0'.repeat(24);
const week = [0, 1, 2, 3, 4, 5, 6];

function dayOf({ from, to }: Span): string {
  return `${'0'.repeat(from)}${'1'.repeat(to - from)}`.padEnd(24, '0');
}

const presets = {
  work: { lastDay: 4, span: { from: 8, to: 18 } },
  evenings: { lastDay: 6, span: { from: 18, to: 24 } },
};

const weekOf = ({ lastDay, span }: { lastDay: number; span: Span }) =>
  week.map((day) => (day <= lastDay ? dayOf(span) : closed));
const work = weekOf(presets.work);
const evenings = weekOf(presets.evenings);

/** The days and hours that a preset stands for; null for all hours, and for custom ones. */
export function presetText(preset: Preset): string | null {
  if (preset === 'all' || preset === 'own') return null;
  const { lastDay, span } = presets[preset];
  const days = formatRange(formatWeekday(0), formatWeekday(lastDay));
  return `${days} · ${formatRange(formatHour(span.from), formatHour(span.to))}`;
}

/** The hours of a preset. Custom hours begin with the previous ones. */
export function hoursOf(preset: Preset, before: string): string {
  if (preset === 'all') return '';
  if (preset === 'own') return before || writeHours(week.map(() => '1'.repeat(24)));
  return writeHours(preset === 'work' ? work : evenings);
}

export function presetOf(hours: string): Preset {
  if (!hours) return 'all';
  if (hours === writeHours(work)) return 'work';
  return hours === writeHours(evenings) ? 'evenings' : 'own';
}

/** The hours in the form's format. */
export const writeHours = (hours: Hours): string => hours?.join(' ') ?? '';
export const readHours = (text: string): Hours => (text ? text.split(' ') : null);

/** Null for a closed day, and for one that opens more than once. */
export function spanOf(day: string): Span | null {
  const from = day.indexOf('1');
  const to = day.lastIndexOf('1') + 1;
  return from >= 0 && dayOf({ from, to }) === day ? { from, to } : null;
}

export const isClosed = (day: string) => !day.includes('1');

/** The week with the hours of one day replaced. */
export function withDay(hours: string, day: number, span: Span | null): string {
  const text = span ? dayOf(span) : closed;
  return writeHours((readHours(hours) ?? []).map((open, n) => (n === day ? text : open)));
}
