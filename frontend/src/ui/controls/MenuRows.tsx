import type { ReactNode } from 'react';
import styles from './MenuRow.module.css';

/** The links that continue from a sheet; the rows reach the edges of the sheet. */
export function MenuRows({ label, children }: { label: string; children: ReactNode }) {
  return (
    <nav className={styles.rows} aria-label={label}>
      {children}
    </nav>
  );
}
