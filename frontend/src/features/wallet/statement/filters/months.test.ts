import { describe, expect, it } from 'vitest';
import { aStatement } from '@/testing/money-data';
import { knownMonths, recentMonths } from './months';

describe('months', () => {
  it('go back over the turn of the year', () => {
    expect(recentMonths(new Date(2026, 1, 28), 4)).toEqual([
      '2026-02',
      '2026-01',
      '2025-12',
      '2025-11',
    ]);
    // One month before the 31st must not be the same month.
    expect(recentMonths(new Date(2026, 2, 31), 2)).toEqual(['2026-03', '2026-02']);
  });

  it('are known once, the latest at the end', () => {
    const known = knownMonths([aStatement, aStatement], 6).map(({ month }) => month);
    expect(known).toEqual(['2026-10', '2026-11']);
    expect(knownMonths([aStatement], 1).map(({ month }) => month)).toEqual(['2026-11']);
  });
});
