import styles from './ProgressBar.module.css';

/** How far something has come, 0 to 100; `label` names it for screen readers. */
export function ProgressBar({ value, label }: { value: number; label: string }) {
  const shown = Math.min(100, Math.max(0, value));
  return (
    <div
      className={styles.track}
      role="progressbar"
      aria-label={label}
      aria-valuenow={shown}
      aria-valuemin={0}
      aria-valuemax={100}
    >
      <div className={styles.bar} style={{ width: `${shown}%` }} />
    </div>
  );
}
