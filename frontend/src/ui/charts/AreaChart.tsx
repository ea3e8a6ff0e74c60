import { type KeyboardEvent, type PointerEvent, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '@/ui/display/Icon';
import styles from './AreaChart.module.css';
import { areaPath, linePath, placePoints, type Scale, scaleFor } from './chart-shape';
import { pointAfter } from './use-points';

/** `before` is what it is compared with, if there is anything. */
export type ChartPoint = {
  label: string;
  value: number;
  text: string;
  before?: { value: number; text: string };
};

const width = 320;
const height = 72;
const edge = 6;

type Props = {
  points: ChartPoint[];
  label: string;
  /** The sum of all points, and its name. */
  total: { label: string; text: string; before?: string | undefined };
  /** The marks of the scale, each in few characters. */
  markTexts: (marks: readonly number[]) => readonly string[];
  /** Counts have no marks between whole numbers. */
  whole: boolean;
  beforeLabel: string;
  /** The accessible name of the button beside the reading. */
  openLabel: (point: string) => string;
  /** The kind of target that opens. */
  opens?: 'dialog' | 'page';
  onOpen: (at: number) => void;
};

/**
 * The chart of a series. Arrow keys, a finger or the mouse select a point. Enter, the button beside
 * the reading or a click opens its details. While a point is being read, the headline shows the
 * point, otherwise the whole series.
 */
export function AreaChart(props: Props) {
  const { points, label, total, markTexts, whole, beforeLabel, openLabel, onOpen } = props;
  const { opens = 'dialog' } = props;
  const { t } = useTranslation();
  const hint = useId();
  const byMouse = useRef(false);
  const [picked, setPicked] = useState<number | null>(null);
  const [reading, setReading] = useState(false);
  const last = points.length - 1;
  const at = Math.min(picked ?? last, last);
  const point = points[at];
  if (!point) return null;

  const pick = (next: number) => {
    setPicked(next);
    setReading(true);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const next = pointAfter('across', event.key, at, points.length);
    if (next === null && event.key !== 'Enter') return;
    event.preventDefault();
    if (next === null) onOpen(at);
    else pick(next);
  };
  const onPointer = (event: PointerEvent) => {
    byMouse.current = event.pointerType === 'mouse';
    const box = event.currentTarget.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * (width + 2 * edge) - edge;
    pick(Math.min(last, Math.max(0, Math.round((x / width) * last))));
  };
  const stop = () => setReading(false);

  const { text, before } = point;
  const spoken = before ? `${text}, ${beforeLabel}: ${before.text}` : text;
  const scale = scaleOf(points, whole);
  const texts = markTexts(scale.marks);
  return (
    <figure className={styles.chart}>
      <figcaption className="visually-hidden">{label}</figcaption>
      <div className={styles.reading}>
        <Headline
          beforeLabel={beforeLabel}
          {...(reading
            ? { label: point.label, text, before: before?.text }
            : { label: total.label, text: total.text, before: total.before })}
        />
        <button
          type="button"
          className={styles.open}
          // The chart is one tab stop, and Enter does the same.
          tabIndex={-1}
          aria-label={openLabel(point.label)}
          aria-haspopup={opens === 'dialog' ? opens : undefined}
          onClick={() => onOpen(at)}
        >
          {point.label}
          <Icon name="chevron" size={16} />
        </button>
      </div>
      <div className={styles.plot}>
        <p className={styles.marks} aria-hidden="true">
          {scale.marks.map((mark, at) => <span key={mark}>{texts[at]}</span>).reverse()}
        </p>
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
          onBlur={stop}
          onPointerMove={onPointer}
          onPointerDown={onPointer}
          onPointerUp={(event) => event.pointerType !== 'mouse' && stop()}
          onPointerCancel={stop}
          onPointerLeave={stop}
          // A tap has only selected the point so far; the mouse did so on its way.
          onClick={() => byMouse.current && onOpen(at)}
        >
          <Picture points={points} at={at} scale={scale} />
        </div>
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

type HeadlineProps = {
  label: string;
  text: string;
  before: string | undefined;
  beforeLabel: string;
};

/** The table and the slider say the same to screen readers. */
function Headline({ label, text, before, beforeLabel }: HeadlineProps) {
  return (
    <p className={styles.headline} aria-hidden="true">
      <span className={styles.what}>{label}</span>
      <span>
        <strong>{text}</strong>
        {before && (
          <span className={styles.earlier}>
            {' '}
            {beforeLabel} {before}
          </span>
        )}
      </span>
    </p>
  );
}

function scaleOf(points: ChartPoint[], whole: boolean): Scale {
  const all = points.flatMap(({ value, before }) => (before ? [value, before.value] : [value]));
  return scaleFor(all, whole);
}

function Picture({ points, at, scale }: { points: ChartPoint[]; at: number; scale: Scale }) {
  const gradient = useId();
  const place = (values: number[]) => placePoints(values, width, height, scale);
  const places = place(points.map((point) => point.value));
  const before = place(points.flatMap((point) => point.before?.value ?? []));
  const marked = places[at];
  return (
    <svg
      viewBox={`-${edge} 0 ${width + 2 * edge} ${height}`}
      className={styles.picture}
      aria-hidden="true"
    >
      <defs>
        <linearGradient id={gradient} x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" stopColor="currentColor" stopOpacity="0.28" />
          <stop offset="1" stopColor="currentColor" stopOpacity="0" />
        </linearGradient>
      </defs>
      {placePoints([...scale.marks], width, height, scale).map(({ y }) => (
        <line key={y} className={styles.grid} x2={width} y1={y} y2={y} />
      ))}
      {before.length > 1 && <path d={linePath(before)} className={styles.before} />}
      <path d={areaPath(places, height)} fill={`url(#${gradient})`} />
      <path d={linePath(places)} className={styles.line} />
      {marked && (
        <>
          <line className={styles.marker} x1={marked.x} x2={marked.x} y2={height} />
          <circle className={styles.dot} cx={marked.x} cy={marked.y} r="5" />
        </>
      )}
    </svg>
  );
}
