import type { ReactNode } from 'react';
import { Field, type FieldProps } from './Field';
import styles from './Field.module.css';
import { Input, type InputProps } from './Input';

type Props = FieldProps &
  Omit<InputProps, 'className' | 'id' | 'aria-invalid' | 'aria-describedby'> & {
    id?: string;
    after?: ReactNode;
  };

/** One line of text. `onChange` gets the text itself. */
export function TextField({ label, error, hint, id, after, ...input }: Props) {
  return (
    <Field label={label} error={error} hint={hint} id={id} after={after}>
      {(described) => <Input {...input} {...described} className={styles.input} />}
    </Field>
  );
}
