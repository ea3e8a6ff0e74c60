type Point = { x: number; y: number };

/** The values at the bottom and the top of a chart, with evenly spaced marks. */
export type Scale = { low: number; high: number; marks: readonly number[] };

/** The most intervals between marks: more labels would be too close. */
const stretches = 4;

/**
 * A scale from zero, or from below it if a value is negative, with marks that are round figures.
 * `whole` is for counts, which have no decimals.
 */
export function scaleFor(values: readonly number[], whole = false): Scale {
  const least = Math.min(0, ...values);
  const most = Math.max(0, ...values);
  const step = roundUp((most - least || 1) / stretches, whole);
  const below = Math.ceil(-least / step.value - 1e-9);
  const above = Math.max(1 - below, Math.ceil(most / step.value - 1e-9));
  const marks = Array.from({ length: below + above + 1 }, (_, at) => step.times(at - below));
  return { low: marks[0] ?? 0, high: marks.at(-1) ?? 1, marks };
}

/** The next 1, 2 or 5 times a power of ten, whose multiples are read from decimals, as 3 × 0.1 is 0.3. */
function roundUp(size: number, whole: boolean) {
  const power = Math.floor(Math.log10(size) + 1e-9);
  const digit = [1, 2, 5, 10].find((one) => one * 10 ** power >= size * (1 - 1e-9)) ?? 10;
  const [first, exponent] = whole && power < 0 ? [1, 0] : [digit, power];
  const times = (count: number) => Number(`${first * count}e${exponent}`);
  return { value: times(1), times };
}

/** Places values in a box of the scale's height. */
export function placePoints(
  values: readonly number[],
  width: number,
  height: number,
  { low, high }: Pick<Scale, 'low' | 'high'>,
): Point[] {
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
