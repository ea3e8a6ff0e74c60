import type { ReactNode } from 'react';
import styles from './Facts.module.css';

/** The key tells facts with one label apart. */
export type Fact = { key?: string; label: string; value: ReactNode; hint?: string };

/**
 * Names and values that line up, such as the lines of a bill: a description list, which
 * react-vant's cells are not, and cannot be made from outside.
 */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(({ key, label, value, hint }) => (
        <div key={key ?? label} className={styles.fact}>
          <dt>{label}</dt>
          <dd className={styles.value}>{value}</dd>
          {hint && <dd className={styles.hint}>{hint}</dd>}
        </div>
      ))}
    </dl>
  );
}
