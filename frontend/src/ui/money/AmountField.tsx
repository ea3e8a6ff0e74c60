import { useState } from 'react';
import type { Currency } from '@/api/types';
import { Field, type FieldProps } from '@/ui/form/Field';
import styles from '@/ui/form/Field.module.css';
import { Input } from '@/ui/form/Input';

type Props = FieldProps & {
  /** A decimal string such as `12.50`, or empty. */
  value: string;
  onChange: (value: string) => void;
  currency: Currency;
  id?: string;
  name?: string;
  disabled?: boolean;
};

/** An amount of money as a decimal string; what cannot be part of one never gets in. */
export function AmountField({ label, error, hint, id, value, onChange, currency, ...rest }: Props) {
  // A point whose decimals are still to come is shown, but is no part of the amount yet.
  const [text, setText] = useState(value);
  const shown = withoutPoint(text) === value ? text : value;
  const take = (typed: string) => {
    const cleaned = cleanAmount(typed, currency.decimals, shown);
    setText(cleaned);
    onChange(withoutPoint(cleaned));
  };
  return (
    <Field
      label={label}
      error={error}
      hint={hint}
      id={id}
      before={
        <span className={styles.unit} aria-hidden="true">
          {currency.symbol}
        </span>
      }
      after={<span className={styles.unit}>{currency.code}</span>}
    >
      {(described) => (
        <Input
          {...rest}
          {...described}
          className={styles.amount}
          inputMode={currency.decimals ? 'decimal' : 'numeric'}
          autoComplete="off"
          placeholder="0"
          value={shown}
          onChange={take}
        />
      )}
    </Field>
  );
}

function withoutPoint(text: string): string {
  return text.replace(/\.$/, '');
}

/** Many keyboards offer only a comma for the decimals; thousands can be pasted with either sign. */
export function cleanAmount(typed: string, decimals: number, before: string): string {
  const bare = typed.replace(/[^\d.,]/g, '');
  const last = Math.max(bare.lastIndexOf('.'), bare.lastIndexOf(','));
  const whole = (last < 0 ? bare : bare.slice(0, last)).replace(/[.,]/g, '');
  const fraction = last < 0 || decimals === 0 ? null : bare.slice(last + 1);
  if (fraction !== null && fraction.length > decimals) return before;
  const shortened = whole.replace(/^0+(?=\d)/, '').slice(0, 13);
  if (fraction === null) return shortened;
  return `${shortened || '0'}.${fraction}`;
}
