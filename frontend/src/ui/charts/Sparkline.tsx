import { linePath, placePoints } from './chart-shape';
import styles from './Sparkline.module.css';

/** In the units of the drawing, which are pixels at the usual text size. */
const width = 48;
const height = 22;
/** Room for the line's ends. */
const edge = 2;

type Props = {
  /** Evenly spaced, oldest first. */
  values: readonly number[];
  tone: 'gain' | 'loss' | 'even';
};

/**
 * The course of the figure beside it, in the colour of its sign. The figure itself is beside it as
 * a text.
 */
export function Sparkline({ values, tone }: Props) {
  const scale = { low: Math.min(0, ...values), high: Math.max(0, ...values) };
  // If no value is above or below zero, the zero line is in the middle.
  if (scale.low === scale.high) Object.assign(scale, { low: -1, high: 1 });
  const place = (shown: readonly number[]) =>
    placePoints(shown, width - 2 * edge, height - 2 * edge, scale);
  const points = place(values);
  const [zero] = place([0]);
  const last = points.at(-1);
  return (
    <svg
      className={styles.sparkline}
      data-tone={tone}
      viewBox={`${-edge} ${-edge} ${width} ${height}`}
      aria-hidden="true"
      focusable="false"
    >
      <path className={styles.zero} d={`M0 ${zero?.y}H${width - 2 * edge}`} />
      <path className={styles.line} d={linePath(points)} />
      {last && <circle className={styles.end} cx={last.x} cy={last.y} r={edge} />}
    </svg>
  );
}
