import type { ReactNode } from 'react';
import { classNames } from '@/ui/class-names';
import { Icon } from '@/ui/display/Icon';
import styles from './Notice.module.css';

type Props = {
  tone?: 'info' | 'positive' | 'warning' | 'negative';
  children: ReactNode;
  /** The way out: a button or a link. */
  action?: ReactNode;
  /** Announced at once, for what has just gone wrong. */
  urgent?: boolean;
};

/** Something to know on the page itself, with what to do about it. */
export function Notice({ tone = 'info', children, action, urgent = false }: Props) {
  return (
    <div className={classNames(styles.notice, styles[tone])} role={urgent ? 'alert' : undefined}>
      <Icon name={tone === 'positive' ? 'check' : tone === 'info' ? 'info' : 'warning'} size={20} />
      <div className={styles.content}>
        <div>{children}</div>
        {action}
      </div>
    </div>
  );
}
