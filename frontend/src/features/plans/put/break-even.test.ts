// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { breakEven } from './break-even';

describe('the break-even of a plan', () => {
  it.each([
    ['100.00', '30.00', '0.1', 4n],
    ['27.00', '30.00', '0.1', 1n],
    ['27.01', '30.00', '0.1', 2n],
    // The fee of all together is rounded down, not that of each.
    ['0.19', '0.07', '0.1', 3n],
    ['500.00', '3.10', '0.05', 170n],
    ['0.00', '3.10', '0.05', 0n],
    ['1.00', '3.10', '1', null],
    ['1.00', '0.00', '0', null],
  ])('of %s at %s less %s is %s', (cost, payout, rate, expected) => {
    expect(breakEven(cost, payout, rate)).toBe(expected);
  });

  it('is the first number that settles to the cost', () => {
    const net = (count: bigint, payout: bigint, permille: bigint) =>
      payout * count - (payout * count * permille) / 1000n;
    for (let round = 1n; round <= 200n; round += 1n) {
      const [cost, payout, permille] = [(round * 7919n) % 9973n, (round * 31n) % 97n, round % 500n];
      if (cost === 0n || payout === 0n) continue;
      const decimal = (minor: bigint) => `${minor / 100n}.${String(minor % 100n).padStart(2, '0')}`;
      const rate = `0.${String(permille).padStart(3, '0')}`;
      const found = breakEven(decimal(cost), decimal(payout), rate) ?? -1n;
      expect(net(found, payout, permille)).toBeGreaterThanOrEqual(cost);
      expect(net(found - 1n, payout, permille)).toBeLessThan(cost);
    }
  });
});
