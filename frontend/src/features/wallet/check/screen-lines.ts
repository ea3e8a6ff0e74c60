import { call } from '@/api/call';
import type { Property } from '@/api/types';
import { rowOf, type ScreenBalances } from '@/proof/screen';

const weeks = 5;
const week = 7 * 86_400_000;

/** The months of UTC that have begun since the first month of the user's time zone, oldest first. */
export function monthsUntil(first: string, now: Date): string[] {
  const months: string[] = [];
  for (
    let at = new Date(`${monthNow(new Date(`${first}-01T00:00:00`))}-01T00:00:00Z`);
    at <= now;
    at.setUTCMonth(at.getUTCMonth() + 1)
  ) {
    months.push(at.toISOString().slice(0, 7));
  }
  return months;
}

export const monthNow = (now: Date) => now.toISOString().slice(0, 7);

/** Every line that the statement shows of a month of UTC, as rows: a part of it at a time, several at once. */
export async function readLines(month: string, signal: AbortSignal): Promise<string[]> {
  const start = Date.parse(`${month}-01T00:00:00Z`);
  const next = new Date(start);
  const end = next.setUTCMonth(next.getUTCMonth() + 1);
  const parts = Array.from({ length: weeks }, (_, at) => {
    const from = start + at * week;
    return { from, until: Math.min(end, from + week) };
  }).filter(({ from, until }) => from < until);
  const lines = await Promise.all(parts.map((part) => readPart(part, signal)));
  return lines.flat();
}

type Part = { from: number; until: number };

async function readPart({ from, until }: Part, signal: AbortSignal): Promise<string[]> {
  const stretch = { from: new Date(from).toISOString(), until: new Date(until).toISOString() };
  const lines: string[] = [];
  let cursor: string | null = null;
  do {
    const query: { from: string; until: string; limit: string; cursor: string | null } = {
      ...stretch,
      limit: '100',
      cursor,
    };
    const page = await call('GET', '/transaction_flow/list', { query, signal, inline: ['all'] });
    lines.push(...page.items.map(rowOf));
    cursor = page.next_cursor;
  } while (cursor !== null);
  return lines;
}

/** The figures of the wallet, by the number of their account. */
export function screenBalances(property: Property): ScreenBalances {
  return {
    101: property.available,
    103: property.withdrawing,
    104: property.exchanging,
    105: property.deposit,
    106: property.promotional,
  };
}
