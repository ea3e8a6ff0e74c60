import type { ReactNode } from 'react';
import styles from './EmptyState.module.css';
import { Icon, type IconName } from './Icon';

type Props = { icon: IconName; title: string; text: string; children?: ReactNode };

/** Nothing here, why, and the way on. */
export function EmptyState({ icon, title, text, children }: Props) {
  return (
    <div className={styles.empty}>
      <span className={styles.disc}>
        <Icon name={icon} size={28} />
      </span>
      <p className={styles.title}>{title}</p>
      <p className={styles.text}>{text}</p>
      {children && <div className={styles.action}>{children}</div>}
    </div>
  );
}
