// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { aPlan } from '@/testing/money-data';
import { nextSettlement, planParts, sumOf } from './plan-parts';

describe('what a plan has of a figure', () => {
  it('is the own money that it still holds, as the server reckons it', () => {
    const plans = ['80.00', '0.00', '79.99'].map((held) => ({ ...aPlan, to_be_consumed: held }));
    const parts = planParts(plans, 'toBeConsumed');
    expect(parts.map(({ amount }) => amount)).toEqual(['80.00', '79.99']);
    expect(sumOf(parts)).toBe('159.99');
  });

  it('is its revenue, as long as that is not settled', () => {
    const parts = planParts([aPlan, { ...aPlan, revenue: '0.00' }], 'toBeSettled');
    expect(parts.map(({ amount }) => amount)).toEqual(['961.00']);
    expect(sumOf([...parts, ...parts])).toBe('1922.00');
  });

  it('is the fee on its revenue at its own rate, rounded down as at settlement', () => {
    const rates = [
      { ...aPlan, revenue: '24.98', fee_rate: '0.033333' },
      { ...aPlan, revenue: '0.10', fee_rate: '0.05' },
    ];
    expect(planParts(rates, 'feesDue').map(({ amount }) => amount)).toEqual(['0.83']);
  });

  it('is settled on the first day that is known', () => {
    const days = ['2026-12-02T09:00:00Z', null, '2026-11-28T09:00:00Z'];
    const plans = days.map((settles_at) => ({ ...aPlan, settles_at }));
    expect(nextSettlement(planParts(plans, 'toBeSettled'))).toBe('2026-11-28T09:00:00Z');
    expect(nextSettlement([])).toBeNull();
  });
});
