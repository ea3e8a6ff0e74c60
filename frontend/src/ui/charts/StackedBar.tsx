import styles from './StackedBar.module.css';

/** The colours of parts, in their order; a legend draws them with `StackedDot`. */
type StackedPart = { key: string; value: number; tone: number };

/** The parts of a sum, to scale. It is only a picture: the list beside it has the figures. */
export function StackedBar({ parts }: { parts: readonly StackedPart[] }) {
  const shown = parts.filter(({ value }) => value > 0);
  if (!shown.length) return null;
  return (
    <div className={styles.bar} aria-hidden="true">
      {shown.map(({ key, value, tone }) => (
        <span key={key} className={styles[`tone${tone}`]} style={{ flexGrow: value }} />
      ))}
    </div>
  );
}

export function StackedDot({ tone }: { tone: number }) {
  return <span className={`${styles.dot} ${styles[`tone${tone}`]}`} aria-hidden="true" />;
}
