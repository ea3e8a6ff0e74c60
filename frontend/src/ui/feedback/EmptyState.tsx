import type { ReactNode } from 'react';
import { SheetsPicture } from '@/ui/illustrations/SheetsPicture';
import styles from './State.module.css';

type Props = {
  title: string;
  /** What to do next. */
  description?: string;
  action?: ReactNode;
  /** One of ./illustrations: what it is that is not there. */
  picture?: ReactNode;
};

/** Nothing here yet, and what to do about it. */
export function EmptyState({ title, description, action, picture = <SheetsPicture /> }: Props) {
  return (
    <div className={styles.state}>
      {picture}
      <p className={styles.title}>{title}</p>
      {description && <p className={styles.description}>{description}</p>}
      {action}
    </div>
  );
}
