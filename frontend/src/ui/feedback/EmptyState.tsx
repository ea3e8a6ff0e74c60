import type { ReactNode } from 'react';
import { SheetsPicture } from '@/ui/illustrations/SheetsPicture';
import { State } from './State';
import styles from './State.module.css';

type Props = {
  title: string;
  /** What to do next. */
  description?: string;
  action?: ReactNode;
  /** One of ./illustrations, for the kind of thing that is missing. */
  picture?: ReactNode;
};

/** Says that there is nothing here yet, and what to do about it. */
export function EmptyState({ title, description, action, picture = <SheetsPicture /> }: Props) {
  return (
    <State
      picture={picture}
      title={<p className={styles.title}>{title}</p>}
      description={description}
    >
      {action}
    </State>
  );
}
