import type { ReactNode } from 'react';
import { classNames } from '@/ui/class-names';
import styles from './Button.module.css';
import { Link } from './Link';

type Props = {
  to: string;
  children: ReactNode;
  variant?: 'primary' | 'secondary' | 'quiet';
  size?: 'large' | 'small';
};

/** Looks like a Button, leads to another page. */
export function LinkButton({ to, children, variant = 'primary', size = 'large' }: Props) {
  return (
    <Link to={to} className={classNames(styles.button, styles.link, styles[variant], styles[size])}>
      {children}
    </Link>
  );
}
