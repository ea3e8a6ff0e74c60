// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { monthsSince, withMonth } from './months';

describe('months', () => {
  it('go back to the first one, over the turn of the year', () => {
    const since = monthsSince('2025-11', new Date(2026, 1, 28));
    expect(since).toEqual(['2026-02', '2026-01', '2025-12', '2025-11']);
    // One month before the 31st must not be the same month.
    expect(monthsSince('2026-02', new Date(2026, 2, 31))).toEqual(['2026-03', '2026-02']);
  });

  it('are at least this one, whatever a wrong clock says, and never without end', () => {
    expect(monthsSince('2026-12', new Date(2026, 1, 1))).toEqual(['2026-02']);
    expect(monthsSince('0001-01', new Date(2026, 1, 1))).toHaveLength(600);
  });

  it('have the one that a link led to in its place', () => {
    const months = ['2026-02', '2026-01'];
    expect(withMonth(months, '2025-06')).toEqual(['2026-02', '2026-01', '2025-06']);
    expect(withMonth(months, '2026-01')).toBe(months);
    expect(withMonth(months, null)).toBe(months);
  });
});
