import type { HTMLInputAutoCompleteAttribute, HTMLInputTypeAttribute, ReactNode } from 'react';
import { Field, type FieldProps } from './Field';
import styles from './Field.module.css';

type Props = FieldProps & {
  value: string;
  onChange: (value: string) => void;
  id?: string;
  name?: string;
  type?: HTMLInputTypeAttribute;
  autoComplete?: HTMLInputAutoCompleteAttribute;
  inputMode?: 'text' | 'numeric' | 'tel' | 'email' | 'url';
  autoCapitalize?: 'none' | 'sentences' | 'words';
  placeholder?: string;
  maxLength?: number;
  required?: boolean;
  disabled?: boolean;
  /** A text area of that many rows instead of one line. */
  rows?: number;
  after?: ReactNode;
};

/** One line of text, or several with `rows`. `onChange` gets the text itself. */
export function TextField({
  label,
  error,
  hint,
  id,
  after,
  onChange,
  rows,
  type = 'text',
  ...input
}: Props) {
  return (
    <Field label={label} error={error} hint={hint} id={id} after={after}>
      {(described) => {
        const shared = {
          ...input,
          ...described,
          className: styles.input,
          onChange: (event: { target: { value: string } }) => onChange(event.target.value),
        };
        return rows ? <textarea {...shared} rows={rows} /> : <input {...shared} type={type} />;
      }}
    </Field>
  );
}
