import type { ReactNode } from 'react';
import styles from './Facts.module.css';

export type Fact = { label: string; value: ReactNode; hint?: string };

/** Names and values that line up, such as the lines of a bill. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(({ label, value, hint }) => (
        <div key={label} className={styles.fact}>
          <dt>
            {label}
            {hint && <span className={styles.hint}>{hint}</span>}
          </dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
