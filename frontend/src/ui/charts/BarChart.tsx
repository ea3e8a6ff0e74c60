import { useEffect, useRef } from 'react';
import { classNames } from '@/ui/class-names';
import styles from './BarChart.module.css';
import { usePoints } from './use-points';

type Bars = {
  key: string;
  label: string;
  /** The full name, shown beside the figures of the selected bars. */
  name: string;
  /** Heights, in the order of `series`; only their proportion is drawn. */
  values: readonly number[];
  /** The figures of the bars, as texts. */
  texts: readonly string[];
};

type Props = {
  label: string;
  bars: readonly Bars[];
  series: readonly { label: string; tone: 'accent' | 'muted' }[];
  selected: string | null;
  onSelect: (key: string) => void;
};

const tall = 92;
/** What is drawn of a bar of nothing. */
const trace = 3;

/**
 * Groups of bars to choose from, with one tab stop for all of them. Each group is a button whose
 * name has its figures; the figures of the selected group are shown above.
 */
export function BarChart({ label, bars, series, selected, onSelect }: Props) {
  const row = useRef<HTMLDivElement>(null);
  const count = bars.length;
  const chosen = bars.findIndex(({ key }) => key === selected);
  const { at, pick, onKeyDown, pointProps } = usePoints(
    'across',
    count,
    chosen < 0 ? count - 1 : chosen,
  );
  useEffect(() => {
    // The latest are the ones asked for; on a narrow screen the older ones wait to the left.
    if (count && row.current) row.current.scrollLeft = row.current.scrollWidth;
  }, [count]);
  const top = Math.max(...bars.flatMap((bar) => bar.values), 0);
  const height = top > 0 ? tall : trace;
  const read = bars[at];
  return (
    <figure className={styles.chart}>
      <figcaption className="visually-hidden">{label}</figcaption>
      <div className={styles.reading} aria-hidden="true">
        <strong className={styles.read}>{read?.name}</strong>
        {series.map((one, index) => (
          <span key={one.label} className={styles.entry}>
            <span className={classNames(styles.dot, styles[one.tone])} />
            {one.label}
            <strong className={styles.figure}>{read?.texts[index]}</strong>
          </span>
        ))}
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset brings a frame and a legend. */}
      <div ref={row} className={styles.bars} role="group" aria-label={label} onKeyDown={onKeyDown}>
        {bars.map((bar, index) => (
          <button
            key={bar.key}
            type="button"
            className={styles.group}
            // The accessible name begins with the visible text, so that users of voice control can
            // say what they see.
            aria-label={`${bar.label}: ${nameFigures(series, bar)}`}
            aria-pressed={bar.key === selected}
            onClick={() => onSelect(bar.key)}
            onPointerEnter={() => pick(index)}
            {...pointProps(index)}
          >
            <svg viewBox={`0 0 36 ${height}`} height={height} aria-hidden="true">
              {bar.values.map((value, part) => {
                // A month with any movement shows at least a stump.
                const size = value > 0 ? Math.max(5, (value / top) * height) : trace;
                const one = series[part];
                return (
                  <rect
                    key={one?.label}
                    className={one && styles[one.tone]}
                    x={part * 20 + (series.length === 1 ? 10 : 0)}
                    y={height - size}
                    width="16"
                    height={size}
                    rx={Math.min(6, size / 2)}
                  />
                );
              })}
            </svg>
            <span className={styles.name}>{bar.label}</span>
          </button>
        ))}
      </div>
    </figure>
  );
}

function nameFigures(series: Props['series'], { texts }: Bars): string {
  return series.map(({ label }, at) => `${label} ${texts[at]}`).join(', ');
}
