import { addDecimals, toPlot } from '@/ui/money/decimal';

/** The running sums of parts, from zero: the course of a figure. */
export function runningSums(parts: readonly string[]): number[] {
  let sum = '0';
  const sums = parts.map((part) => {
    sum = addDecimals(sum, part);
    return toPlot(sum);
  });
  return sums.length ? [0, ...sums] : [];
}
