// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { formatPart } from '@/i18n/format';
import { sharesOf } from './shares';

const shown = (...parts: number[]) => sharesOf(parts.map(BigInt)).map(formatPart);

describe('the shares of a list', () => {
  it.each([
    [
      [1, 1, 1],
      ['33.4%', '33.3%', '33.3%'],
    ],
    [
      [2, 1],
      ['66.7%', '33.3%'],
    ],
    [
      [1, 1, 1, 1, 1, 1],
      ['16.7%', '16.7%', '16.7%', '16.7%', '16.6%', '16.6%'],
    ],
    [
      [1_000_000, 149_686, 96_100],
      ['80.3%', '12.0%', '7.7%'],
    ],
    [[5], ['100.0%']],
    [
      [0, 0],
      ['0.0%', '0.0%'],
    ],
    [[], []],
  ])('%j are %j', (parts, expected) => expect(shown(...parts)).toEqual(expected));

  it('come to 100 % whatever the parts, and none is further off than a tenth', () => {
    for (let seed = 1; seed <= 500; seed += 1) {
      const parts = Array.from(
        { length: 2 + (seed % 6) },
        (_, at) => (seed * 7919 * (at + 3)) % 10007,
      );
      const sum = parts.reduce((all, part) => all + part, 0);
      const shares = sharesOf(parts.map(BigInt)).map((share) => Math.round(Number(share) * 1000));
      expect(shares.reduce((all, share) => all + share, 0)).toBe(1000);
      shares.forEach((share, at) => {
        expect(Math.abs(share - ((parts[at] ?? 0) * 1000) / sum)).toBeLessThan(1);
      });
    }
  });
});
