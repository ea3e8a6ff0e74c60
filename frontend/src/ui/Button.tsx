import type { ReactNode } from 'react';
import { Button as VantButton } from 'react-vant';
import styles from './Button.module.css';
import { classNames } from './class-names';
import { Icon, type IconName } from './Icon';

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

/** The large one fills its row. While loading it keeps its text and focus, and does nothing. */
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
    <VantButton
      {...aria}
      className={classNames(styles.button, styles[variant], styles[size])}
      // react-vant would still submit the form a second time while loading.
      nativeType={loading ? 'button' : type}
      disabled={disabled}
      loading={loading}
      loadingText={typeof children === 'string' ? children : undefined}
      aria-busy={loading || undefined}
      icon={icon && <Icon name={icon} size={20} />}
      onClick={onClick}
    >
      {children}
    </VantButton>
  );
}
