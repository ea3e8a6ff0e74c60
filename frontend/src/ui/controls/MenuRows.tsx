import type { ReactNode } from 'react';
import styles from './MenuRow.module.css';

/** Where the content of a sheet leads; the rows reach the edges of the sheet. */
export function MenuRows({ label, children }: { label: string; children: ReactNode }) {
  return (
    <nav className={styles.rows} aria-label={label}>
      {children}
    </nav>
  );
}
