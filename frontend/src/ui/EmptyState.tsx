import type { ReactNode } from 'react';
import styles from './State.module.css';

type Props = {
  title: string;
  /** What to do next. */
  description?: string;
  action?: ReactNode;
};

/** Nothing here yet, and what to do about it. */
export function EmptyState({ title, description, action }: Props) {
  return (
    <div className={styles.state}>
      <svg width="148" height="112" viewBox="0 0 148 112" fill="none" aria-hidden="true">
        <ellipse cx="74" cy="100" rx="56" ry="7" fill="var(--color-sunken)" />
        <rect x="31" y="16" width="66" height="78" rx="14" fill="var(--color-accent-soft)" />
        <rect x="51" y="26" width="66" height="68" rx="14" fill="var(--color-raised)" />
        <rect
          x="51"
          y="26"
          width="66"
          height="68"
          rx="14"
          stroke="var(--color-border)"
          strokeWidth="2"
        />
        <circle cx="69" cy="46" r="8" fill="var(--color-accent-fill)" opacity="0.85" />
        <rect x="83" y="41" width="22" height="5" rx="2.5" fill="var(--color-border)" />
        <rect x="83" y="50" width="14" height="5" rx="2.5" fill="var(--color-sunken)" />
        <rect x="63" y="66" width="42" height="5" rx="2.5" fill="var(--color-sunken)" />
        <rect x="63" y="77" width="28" height="5" rx="2.5" fill="var(--color-sunken)" />
        <path
          d="M122 14v10m-5-5h10M20 56v8m-4-4h8"
          stroke="var(--color-accent)"
          strokeWidth="2.5"
          strokeLinecap="round"
        />
      </svg>
      <p className={styles.title}>{title}</p>
      {description && <p className={styles.description}>{description}</p>}
      {action}
    </div>
  );
}
