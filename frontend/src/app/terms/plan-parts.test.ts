import { describe, expect, it } from 'vitest';
import { aPlan } from '@/testing/money-data';
import { nextSettlement, planParts, sumOf } from './plan-parts';

describe('what a plan has of a figure', () => {
  const held = (plan: Partial<typeof aPlan>) =>
    planParts([{ ...aPlan, ...plan }], 'toBeConsumed', 2)[0]?.amount;

  it('is the own money it still holds, the coupon’s part being spent first', () => {
    const budget = { put_amount: '100.00', paid_amount: '80.00', returned: '0.00' };
    expect(held({ ...budget, consumed: '0.00' })).toBe('80.00');
    expect(held({ ...budget, consumed: '19.99' })).toBe('80.00');
    expect(held({ ...budget, consumed: '20.01' })).toBe('79.99');
    expect(held({ ...budget, consumed: '100.00' })).toBeUndefined();
    expect(held({ ...budget, consumed: '30.00', returned: '70.00' })).toBeUndefined();
  });

  it('is its revenue, as long as that is not settled', () => {
    const parts = planParts([aPlan, { ...aPlan, revenue: '0.00' }], 'toBeSettled', 2);
    expect(parts.map(({ amount }) => amount)).toEqual(['961.00']);
    expect(sumOf([...parts, ...parts], 2)).toBe('1922.00');
  });

  it('is settled on the first day that is known', () => {
    const days = ['2026-12-02T09:00:00Z', null, '2026-11-28T09:00:00Z'];
    const plans = days.map((settles_at) => ({ ...aPlan, settles_at }));
    expect(nextSettlement(planParts(plans, 'toBeSettled', 2))).toBe('2026-11-28T09:00:00Z');
    expect(nextSettlement([])).toBeNull();
  });
});
