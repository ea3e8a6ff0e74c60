import type { ReactNode } from 'react';
import { classNames } from '@/ui/class-names';
import styles from './Card.module.css';

type Props = {
  children: ReactNode;
  title?: string;
  /** Beside the title: a link, a tag. */
  aside?: ReactNode;
  /** No inner margin, for lists that reach the edge. */
  flush?: boolean;
  className?: string;
};

/** A raised surface; with a title it is a section of the page. */
export function Card({ children, title, aside, flush = false, className }: Props) {
  return (
    <section className={classNames(styles.card, flush && styles.flush, className)}>
      {title && (
        <header className={styles.header}>
          <h2 className={styles.title}>{title}</h2>
          {aside}
        </header>
      )}
      {children}
    </section>
  );
}
