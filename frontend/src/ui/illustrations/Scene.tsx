import type { ReactNode } from 'react';
import styles from './Scene.module.css';

/** The common parts of all pictures of empty pages: their size, the ground, two sparks. */
export function Scene({ children }: { children: ReactNode }) {
  return (
    <svg
      className={styles.scene}
      width="148"
      height="112"
      viewBox="0 0 148 112"
      fill="none"
      aria-hidden="true"
    >
      <ellipse cx="74" cy="100" rx="56" ry="7" className={styles.faint} />
      {children}
      <path d="M126 12v10m-5-5h10M18 54v8m-4-4h8" className={styles.stroke} />
    </svg>
  );
}
