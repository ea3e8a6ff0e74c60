import type { ReactNode } from 'react';
import VantButton from 'react-vant/es/button/Button.js';
import { Icon, type IconName } from '@/ui/display/Icon';
import { type ButtonLook, lookOf } from './button-look';

type Props = Partial<ButtonLook> & {
  children: ReactNode;
  type?: 'button' | 'submit';
  loading?: boolean;
  disabled?: boolean;
  icon?: IconName;
  onClick?: () => void;
  'aria-haspopup'?: 'dialog';
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
      {...lookOf({ variant, size })}
      // A submit button would send the form a second time while loading.
      nativeType={loading ? 'button' : type}
      disabled={disabled}
      loading={loading}
      // Typed as a string, and drawn as it is.
      loadingText={children as string}
      aria-busy={loading || undefined}
      onClick={onClick}
    >
      {icon && <Icon name={icon} size={20} />}
      {children}
    </VantButton>
  );
}
