import type { ReactNode } from 'react';
import { classNames } from '@/ui/class-names';
import { Icon, type IconName } from '@/ui/display/Icon';
import styles from './Button.module.css';

type Props = {
  children: ReactNode;
  variant?: 'primary' | 'secondary' | 'quiet' | 'danger';
  size?: 'large' | 'small';
  type?: 'button' | 'submit';
  loading?: boolean;
  disabled?: boolean;
  icon?: IconName;
  onClick?: () => void;
  'aria-label'?: string;
  'aria-pressed'?: boolean;
};

/**
 * The large one fills its row. While loading it keeps its text and focus, and does nothing.
 * A plain button: react-vant's adds 7 KB to the first page and nothing that is kept here.
 */
export function Button({
  children,
  variant = 'primary',
  size = 'large',
  type = 'button',
  loading = false,
  disabled = false,
  icon,
  onClick,
  ...aria
}: Props) {
  return (
    <button
      {...aria}
      // A submit button would send the form a second time while loading.
      type={loading ? 'button' : type}
      className={classNames(styles.button, styles[variant], styles[size])}
      disabled={disabled}
      aria-busy={loading || undefined}
      onClick={loading ? undefined : onClick}
    >
      {loading && <span className={styles.spinner} aria-hidden="true" />}
      {icon && !loading && <Icon name={icon} size={20} />}
      {children}
    </button>
  );
}
