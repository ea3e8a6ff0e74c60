import { shareOf, toMinor } from '@/ui/money/decimal';

/** More than any plan can bring; beyond it, the answer would be no news. */
const most = 10n ** 12n;

/**
 * From how many conversions on a plan returns what it cost, after the fee of its settlement; null if
 * it never does. The fee is taken of all conversions together and rounded down, as the server does.
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
  // More conversions return at least as much, so the first number that suffices is bisected.
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
