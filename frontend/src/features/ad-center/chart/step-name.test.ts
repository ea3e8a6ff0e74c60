import { describe, expect, it } from 'vitest';
import { stepEnd, stepName } from './step-name';

const steps = (...times: string[]) =>
  times.map((at) => ({
    at,
    consumed: '0',
    billed: '0',
    platform_paid: '0',
    revenue: '0',
    profit: '0',
    settled_profit: '0',
    impressions: 0,
    clicks: 0,
    corrected: false,
  }));

describe('the stretch a step stands for', () => {
  it('is an hour of today', () => {
    const hours = steps('2026-11-21T09:00:00Z');
    expect(stepName(hours, 0, 'today')).toMatch(/:00.* – .*:00/);
  });

  it('is a day, and a week of days once there are many', () => {
    // Days begin in the user's time zone, whatever zone the tests run in.
    const begin = (day: number) => new Date(2026, 10, day).toISOString();
    const week = steps(begin(7), begin(14), begin(21));
    expect(stepName(week, 0, 'all')).toBe('Nov 7, 2026 – Nov 13, 2026');
    expect(stepName(week, 2, 'all')).toBe('Nov 21, 2026');
    const days = steps(begin(20), begin(21));
    expect(stepName(days, 0, 'month')).toBe('Nov 20, 2026');
    expect(stepName(days, 5, 'month')).toBe('');
  });
});

describe('where a step ends', () => {
  it('is where the next one begins, and for the last its hour or day', () => {
    const hours = steps('2026-11-21T08:30:00.000Z', '2026-11-21T09:30:00.000Z');
    expect(stepEnd(hours, 0, 'today')).toBe('2026-11-21T09:30:00.000Z');
    expect(stepEnd(hours, 1, 'today')).toBe('2026-11-21T10:30:00.000Z');
    const midnight = (day: number) => new Date(2026, 9, day).toISOString();
    const days = steps(midnight(24), midnight(25));
    expect(stepEnd(days, 0, 'week')).toBe(midnight(25));
    expect(stepEnd(days, 1, 'week')).toBe(midnight(26));
  });
});
