import type { ReactNode } from 'react';
import styles from './Facts.module.css';

/** The key tells facts with one label apart. */
export type Fact = { key?: string; label: string; value: ReactNode; hint?: string | undefined };

/** Facts, with falsy entries that are left out. */
export type SomeFacts = readonly (Fact | false | '' | null | undefined)[];

/**
 * Names and values that line up, such as the lines of a bill: a description list, which
 * react-vant's cells are not, and cannot be made from outside.
 */
export function Facts({ facts }: { facts: SomeFacts }) {
  return (
    <dl className={styles.facts}>
      {facts.map(
        (fact) =>
          fact && (
            <div key={fact.key ?? fact.label} className={styles.fact}>
              <dt>{fact.label}</dt>
              <dd className={styles.value}>{fact.value}</dd>
              {fact.hint && <dd className={styles.hint}>{fact.hint}</dd>}
            </div>
          ),
      )}
    </dl>
  );
}
