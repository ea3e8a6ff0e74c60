import { type InputHTMLAttributes, type ReactNode, useId } from 'react';
import { Icon, type IconName } from './Icon';
import styles from './TextField.module.css';

export type TextFieldProps = InputHTMLAttributes<HTMLInputElement> & {
  label: string;
  error?: string | null;
  hint?: string;
  icon?: IconName;
  trailing?: ReactNode;
};

export function TextField({ label, error, hint, icon, trailing, ...input }: TextFieldProps) {
  const id = useId();
  const note = error || hint;
  return (
    <div className={styles.field} data-invalid={Boolean(error)}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <div className={styles.box}>
        {icon && <Icon name={icon} size={20} />}
        <input
          autoCapitalize="none"
          spellCheck={false}
          {...input}
          id={id}
          className={styles.input}
          aria-invalid={Boolean(error)}
          aria-describedby={note ? `${id}-note` : undefined}
        />
        {trailing}
      </div>
      {note && (
        <p id={`${id}-note`} className={error ? styles.error : styles.hint}>
          {note}
        </p>
      )}
    </div>
  );
}
