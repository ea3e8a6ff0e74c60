import { useLayoutEffect, useRef } from 'react';
import type { TextAreaInstance } from 'react-vant/es/text-area/PropsType.js';
import VantTextArea from 'react-vant/es/text-area/TextArea.js';
import { type Described, Field, type FieldProps } from './Field';
import styles from './Field.module.css';
import { setAttributes } from './set-attributes';

type Area = {
  value: string;
  onChange: (value: string) => void;
  name?: string;
  rows?: number;
  disabled?: boolean;
};

/** Several lines of text; the field grows with them. */
export function LongTextField({ label, error, hint, ...area }: FieldProps & Area) {
  return (
    <Field label={label} error={error} hint={hint}>
      {(described) => <LongInput {...area} {...described} />}
    </Field>
  );
}

function LongInput({ id, rows = 4, ...rest }: Area & Described) {
  const { 'aria-invalid': invalid, 'aria-describedby': describedBy, ...props } = rest;
  const area = useRef<TextAreaInstance>(null);
  // react-vant's hands on none of these.
  useLayoutEffect(() =>
    setAttributes(area.current?.nativeElement, {
      id,
      // Arabic and Hebrew are typed from the right.
      dir: 'auto',
      'aria-invalid': invalid,
      'aria-describedby': describedBy,
    }),
  );
  return <VantTextArea {...props} ref={area} rows={rows} className={styles.area} />;
}
