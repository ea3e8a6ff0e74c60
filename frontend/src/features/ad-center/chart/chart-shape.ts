export type Point = { x: number; y: number };

/**
 * Places values in a box: its bottom is zero, or the lowest value if that is negative. `beside` are
 * drawn in the same picture and share its scale.
 */
export function placePoints(
  values: readonly number[],
  width: number,
  height: number,
  beside: readonly number[] = [],
): Point[] {
  const low = Math.min(0, ...values, ...beside);
  const high = Math.max(0, ...values, ...beside);
  const span = high - low || 1;
  const step = values.length > 1 ? width / (values.length - 1) : 0;
  return values.map((value, index) => ({
    x: values.length > 1 ? index * step : width / 2,
    y: height - ((value - low) / span) * height,
  }));
}

/** Straight lines: a smoothed curve would show values that nobody measured. */
export function linePath(points: readonly Point[]): string {
  return points.map(({ x, y }, index) => `${index ? 'L' : 'M'}${round(x)} ${round(y)}`).join('');
}

export function areaPath(points: readonly Point[], height: number): string {
  const first = points[0];
  const last = points.at(-1);
  if (!first || !last) return '';
  return `${linePath(points)}L${round(last.x)} ${height}L${round(first.x)} ${height}Z`;
}

function round(n: number): number {
  return Math.round(n * 10) / 10;
}
