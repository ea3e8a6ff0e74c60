import { type KeyboardEvent, type PointerEvent, useId, useState } from 'react';
import styles from './AreaChart.module.css';
import { areaPath, linePath, placePoints } from './chart-shape';

/** `before` is what it is held against, where there is anything. */
export type ChartPoint = {
  label: string;
  value: number;
  text: string;
  before?: { value: number; text: string };
};

const width = 320;
const height = 132;

type Props = { points: ChartPoint[]; label: string; beforeLabel: string };

/** The picture of a series; arrow keys, a finger or the mouse read single points aloud. */
export function AreaChart({ points, label, beforeLabel }: Props) {
  const gradient = useId();
  const [picked, setPicked] = useState(points.length - 1);
  const at = Math.min(picked, points.length - 1);
  const values = points.map((point) => point.value);
  const earlier = points.flatMap((point) => point.before?.value ?? []);
  const places = placePoints(values, width, height, earlier);
  const before = placePoints(earlier, width, height, values);
  const place = places[at];
  const point = points[at];

  const spoken = ({ text, before }: ChartPoint) =>
    before ? `${text}, ${beforeLabel}: ${before.text}` : text;

  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    setPicked(Math.min(points.length - 1, Math.max(0, at + step)));
  };
  const onPointer = (event: PointerEvent) => {
    const box = event.currentTarget.getBoundingClientRect();
    const part = (event.clientX - box.left) / box.width;
    setPicked(Math.min(points.length - 1, Math.max(0, Math.round(part * (points.length - 1)))));
  };

  return (
    <div
      className={styles.chart}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={points.length - 1}
      aria-valuenow={at}
      aria-valuetext={point ? `${point.label}: ${spoken(point)}` : undefined}
      onKeyDown={onKeyDown}
      onPointerMove={onPointer}
      onPointerDown={onPointer}
    >
      <p className={styles.reading} aria-hidden="true">
        <span>
          <strong>{point?.text}</strong>
          {point?.before && <span className={styles.earlier}> {point.before.text}</span>}
        </span>
        <span>{point?.label}</span>
      </p>
      <svg
        viewBox={`-6 -8 ${width + 12} ${height + 12}`}
        className={styles.picture}
        aria-hidden="true"
      >
        <defs>
          <linearGradient id={gradient} x1="0" y1="0" x2="0" y2="1">
            <stop offset="0" stopColor="currentColor" stopOpacity="0.28" />
            <stop offset="1" stopColor="currentColor" stopOpacity="0" />
          </linearGradient>
        </defs>
        {[0, 0.5, 1].map((part) => (
          <line
            key={part}
            className={styles.grid}
            x2={width}
            y1={height * part}
            y2={height * part}
          />
        ))}
        {before.length > 1 && <path d={linePath(before)} className={styles.before} />}
        <path d={areaPath(places, height)} fill={`url(#${gradient})`} />
        <path d={linePath(places)} className={styles.line} />
        {place && (
          <>
            <line className={styles.marker} x1={place.x} x2={place.x} y2={height} />
            <circle className={styles.dot} cx={place.x} cy={place.y} r="5" />
          </>
        )}
      </svg>
      <p className={styles.ends} aria-hidden="true">
        <span>{points[0]?.label}</span>
        <span>{points.at(-1)?.label}</span>
      </p>
    </div>
  );
}
