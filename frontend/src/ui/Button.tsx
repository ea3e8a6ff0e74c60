import type { ButtonHTMLAttributes } from 'react';
import styles from './Button.module.css';

type Props = ButtonHTMLAttributes<HTMLButtonElement> & {
  kind?: 'primary' | 'soft' | 'plain' | 'danger';
  busy?: boolean;
};

export function Button({ kind = 'primary', busy = false, children, ...rest }: Props) {
  return (
    <button
      type="button"
      {...rest}
      className={styles.button}
      data-kind={kind}
      aria-busy={busy}
      disabled={rest.disabled || busy}
    >
      {busy && <span className={styles.spinner} aria-hidden="true" />}
      <span>{children}</span>
    </button>
  );
}
