import { classNames } from '@/ui/class-names';
import styles from './Button.module.css';

export type ButtonLook = {
  variant: 'primary' | 'secondary' | 'quiet' | 'danger';
  size: 'large' | 'small';
};

const types = {
  primary: 'primary',
  danger: 'danger',
  secondary: 'default',
  quiet: 'default',
} as const;

/** The common look of buttons and of links that look like buttons. */
export function lookOf({ variant, size }: ButtonLook) {
  const className = classNames(styles.button, variant === 'quiet' && styles.quiet, styles[size]);
  return { type: types[variant], size, className };
}
