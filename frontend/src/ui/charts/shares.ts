/** The precision of a list: tenths of a per cent. */
const units = 1000n;

/**
 * Each part's share of their sum, such as `0.333`. If each were rounded alone, the sum might be
 * 99.9 or 100.1 %, so the rest goes to the parts that lost most by rounding down (the largest
 * remainder method). Parts are in whole units, such as cents.
 */
export function sharesOf(parts: readonly bigint[]): string[] {
  const sum = parts.reduce((all, part) => all + part, 0n);
  if (sum <= 0n) return parts.map(() => '0');
  const shares = parts.map((part) => (part * units) / sum);
  const left = Number(units - shares.reduce((all, share) => all + share, 0n));
  const lost = parts.map((part, at) => ({ at, rest: (part * units) % sum }));
  lost.sort((a, b) => (a.rest === b.rest ? a.at - b.at : a.rest < b.rest ? 1 : -1));
  for (const { at } of lost.slice(0, left)) shares[at] = (shares[at] ?? 0n) + 1n;
  return shares.map((share) => `${share}e-3`);
}
