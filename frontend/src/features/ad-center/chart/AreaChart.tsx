import { type KeyboardEvent, type PointerEvent, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { pointAfter } from '@/ui/charts/use-points';
import { Icon } from '@/ui/display/Icon';
import styles from './AreaChart.module.css';
import { areaPath, linePath, placePoints } from './chart-shape';

/** `before` is what it is compared with, if there is anything. */
export type ChartPoint = {
  label: string;
  value: number;
  text: string;
  before?: { value: number; text: string };
};

const width = 320;
const height = 132;
const edge = 6;

type Props = {
  points: ChartPoint[];
  label: string;
  beforeLabel: string;
  /** The accessible name of the button beside the reading. */
  openLabel: (point: string) => string;
  onOpen: (at: number) => void;
};

/**
 * The chart of a series. Arrow keys, a finger or the mouse select a point. Enter, the button beside
 * the reading or a click opens what is behind it.
 */
export function AreaChart({ points, label, beforeLabel, openLabel, onOpen }: Props) {
  const { t } = useTranslation();
  const hint = useId();
  const byMouse = useRef(false);
  const [picked, setPicked] = useState<number | null>(null);
  const last = points.length - 1;
  const at = Math.min(picked ?? last, last);
  const point = points[at];
  if (!point) return null;

  const onKeyDown = (event: KeyboardEvent) => {
    const next = pointAfter('across', event.key, at, points.length);
    if (next === null && event.key !== 'Enter') return;
    event.preventDefault();
    if (next === null) onOpen(at);
    else setPicked(next);
  };
  const onPointer = (event: PointerEvent) => {
    byMouse.current = event.pointerType === 'mouse';
    const box = event.currentTarget.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * (width + 2 * edge) - edge;
    setPicked(Math.min(last, Math.max(0, Math.round((x / width) * last))));
  };

  const { text, before } = point;
  const spoken = before ? `${text}, ${beforeLabel}: ${before.text}` : text;
  return (
    <figure className={styles.chart}>
      <figcaption className="visually-hidden">{label}</figcaption>
      <div className={styles.reading}>
        <span aria-hidden="true">
          <strong>{text}</strong>
          {before && <span className={styles.earlier}> {before.text}</span>}
        </span>
        <button
          type="button"
          className={styles.open}
          // The chart is one tab stop, and Enter does the same.
          tabIndex={-1}
          aria-label={openLabel(point.label)}
          aria-haspopup="dialog"
          onClick={() => onOpen(at)}
        >
          {point.label}
          <Icon name="chevron" size={16} />
        </button>
      </div>
      <div
        className={styles.points}
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-describedby={hint}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={at}
        aria-valuetext={`${point.label}: ${spoken}`}
        onKeyDown={onKeyDown}
        onPointerMove={onPointer}
        onPointerDown={onPointer}
        // A tap has only selected the point so far; the mouse did so on its way.
        onClick={() => byMouse.current && onOpen(at)}
      >
        <Picture points={points} at={at} />
        <p className={styles.ends} aria-hidden="true">
          <span>{points[0]?.label}</span>
          <span>{points.at(-1)?.label}</span>
        </p>
      </div>
      <p id={hint} hidden>
        {t('ui.chartKeys')}
      </p>
    </figure>
  );
}

function Picture({ points, at }: { points: ChartPoint[]; at: number }) {
  const gradient = useId();
  const values = points.map((point) => point.value);
  const earlier = points.flatMap((point) => point.before?.value ?? []);
  const places = placePoints(values, width, height, earlier);
  const before = placePoints(earlier, width, height, values);
  const place = places[at];
  return (
    <svg
      viewBox={`-${edge} -8 ${width + 2 * edge} ${height + 12}`}
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
        <line key={part} className={styles.grid} x2={width} y1={height * part} y2={height * part} />
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
  );
}
