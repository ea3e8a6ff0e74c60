import { type ReactNode, useId } from 'react';
import { classNames } from '@/ui/class-names';
import styles from './Field.module.css';

export type FieldProps = {
  label: string;
  /** The problem of the value. It is announced, and associated with the input. */
  error?: string | null;
  hint?: ReactNode;
};

export type Described = {
  id: string;
  'aria-invalid': true | undefined;
  'aria-describedby': string | undefined;
};

type Props = FieldProps & {
  id?: string;
  before?: ReactNode;
  after?: ReactNode;
  children: (props: Described) => ReactNode;
};

/**
 * Label, box, hint and error around any input. react-vant's Field ties neither label nor error to
 * its input, and brings the library of its forms.
 */
export function Field({ id: given, label, error, hint, before, after, children }: Props) {
  const own = useId();
  const id = given ?? own;
  const notes = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ');
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <div className={classNames(styles.box, Boolean(error) && styles.invalid)}>
        {before}
        {children({
          id,
          'aria-invalid': error ? true : undefined,
          'aria-describedby': notes || undefined,
        })}
        {after}
      </div>
      <p id={`${id}-error`} className={styles.error} role="alert" hidden={!error}>
        {error}
      </p>
      {hint && (
        <div id={`${id}-hint`} className={styles.hint}>
          {hint}
        </div>
      )}
    </div>
  );
}
