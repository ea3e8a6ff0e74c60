import { shareOf, toMinor } from '@/ui/money/decimal';

/** More conversions than any plan can bring; a larger answer would be useless. */
const most = 10n ** 12n;

/**
 * The number of conversions from which a plan returns its cost after the fee of its settlement;
 * null if it never does. The fee applies to all conversions together, and is rounded down, as on
 * the server.
 */
export function breakEven(cost: string, payout: string, feeRate: string): bigint | null {
  const wanted = toMinor(cost);
  const each = toMinor(payout);
  if (wanted === null || each === null) return null;
  if (wanted <= 0n) return 0n;
  const returned = (count: bigint) => {
    const gross = each * count;
    return gross - (toMinor(shareOf(String(gross), feeRate, 0), 0) ?? gross);
  };
  // More conversions never return less, so the smallest sufficient number is found by bisection.
  let [below, enough] = [0n, 1n];
  while (returned(enough) < wanted) {
    [below, enough] = [enough, enough * 2n];
    if (enough > most) return null;
  }
  while (enough - below > 1n) {
    const middle = (below + enough) / 2n;
    if (returned(middle) < wanted) below = middle;
    else enough = middle;
  }
  return enough;
}
