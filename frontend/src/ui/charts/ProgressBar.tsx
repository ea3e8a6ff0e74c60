import type { CSSProperties } from 'react';
import VantProgress from 'react-vant/es/progress/Progress.js';
import styles from './ProgressBar.module.css';

type Props = {
  value: number;
  label: string;
  /** The value that steady progress would have reached by now, 0 to 100. */
  mark?: number | null;
  /** Read aloud in place of the percentage, such as one that tells of the mark. */
  text?: string | undefined;
};

/** How far something has come, 0 to 100; `label` names it for screen readers. */
export function ProgressBar({ value, label, mark = null, text }: Props) {
  const shown = Math.min(100, Math.max(0, value));
  return (
    <div
      className={styles.frame}
      style={{ '--share': `${shown}%` } as CSSProperties}
      role="progressbar"
      aria-label={label}
      aria-valuenow={shown}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuetext={text}
    >
      {/* react-vant would stretch its bar, and the round end with it: a full one is made shorter. */}
      <VantProgress percentage={100} showPivot={false} className={styles.track} />
      {mark !== null && <div className={styles.mark} style={{ insetInlineStart: `${mark}%` }} />}
    </div>
  );
}
