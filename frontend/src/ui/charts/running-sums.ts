import { addDecimals, toPlot } from '@/ui/money/decimal';

/** What parts come to one after another, beginning with nothing: the course of a figure. */
export function runningSums(parts: readonly string[]): number[] {
  let sum = '0';
  const sums = parts.map((part) => {
    sum = addDecimals(sum, part);
    return toPlot(sum);
  });
  return sums.length ? [0, ...sums] : [];
}
