import { useEffect, useRef } from 'react';
import styles from './BarChart.module.css';
import { classNames } from './class-names';

export type Bars = {
  key: string;
  label: string;
  /** Heights, in the order of `series`; only their proportion is drawn. */
  values: readonly number[];
  /** What the heights stand for, read aloud after the label. */
  text: string;
};

type Props = {
  label: string;
  bars: readonly Bars[];
  series: readonly { label: string; tone: 'accent' | 'muted' }[];
  selected: string | null;
  onSelect: (key: string) => void;
};

const height = 92;

/** Groups of bars to choose from. Each group is a button that says its own figures. */
export function BarChart({ label, bars, series, selected, onSelect }: Props) {
  const row = useRef<HTMLDivElement>(null);
  const count = bars.length;
  useEffect(() => {
    // The latest are the ones asked for; on a narrow screen the older ones wait to the left.
    if (count && row.current) row.current.scrollLeft = row.current.scrollWidth;
  }, [count]);
  const top = Math.max(...bars.flatMap((bar) => bar.values), Number.MIN_VALUE);
  return (
    <figure className={styles.chart}>
      <figcaption className={styles.legend}>
        {series.map((one) => (
          <span key={one.label} className={styles.entry}>
            <span className={classNames(styles.dot, styles[one.tone])} />
            {one.label}
          </span>
        ))}
      </figcaption>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset brings a frame and a legend. */}
      <div ref={row} className={styles.bars} role="group" aria-label={label}>
        {bars.map((bar) => (
          <button
            key={bar.key}
            type="button"
            className={styles.group}
            // Who says what they see must reach it, so the name begins with that.
            aria-label={`${bar.label}: ${bar.text}`}
            aria-pressed={bar.key === selected}
            onClick={() => onSelect(bar.key)}
          >
            <svg viewBox={`0 0 36 ${height}`} height={height} aria-hidden="true">
              {bar.values.map((value, at) => {
                // A month with any movement shows at least a stump.
                const size = value > 0 ? Math.max(5, (value / top) * height) : 3;
                const one = series[at];
                return (
                  <rect
                    key={one?.label}
                    className={one && styles[one.tone]}
                    x={at * 20}
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
