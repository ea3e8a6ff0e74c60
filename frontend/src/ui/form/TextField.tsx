import type { ReactNode } from 'react';
import { type Described, Field, type FieldProps } from './Field';
import styles from './Field.module.css';
import { Input, type InputProps } from './Input';

type Props = FieldProps & Omit<InputProps, 'className' | keyof Described> & { after?: ReactNode };

/** One line of text. `onChange` gets the text itself. */
export function TextField({ label, error, hint, after, ...input }: Props) {
  return (
    <Field label={label} error={error} hint={hint} after={after}>
      {(described) => <Input {...input} {...described} className={styles.input} />}
    </Field>
  );
}
