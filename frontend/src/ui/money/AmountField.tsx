import type { TFunction } from 'i18next';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCurrency } from '@/api/queries/currency';
import type { Currency } from '@/api/types';
import { currencyNames, formatDigits, numberMarks } from '@/i18n/format';
import { Field, type FieldProps } from '@/ui/form/Field';
import styles from '@/ui/form/Field.module.css';
import { Input } from '@/ui/form/Input';
import { useDesktopFocus } from '@/ui/form/use-desktop-focus';
import { type AmountProblem, readAmount } from './read-amount';

type Props = FieldProps & {
  /** A decimal string such as `12.50`, or empty while what was typed is no amount. */
  value: string;
  onChange: (value: string) => void;
  name?: string;
  disabled?: boolean;
};

type Typed = { text: string; amount: string; problem: AmountProblem | null };

/**
 * An amount of money as a decimal string. While it is edited, the text stays as it was typed; when
 * the field is left, the amount is shown in the reader's format. A text that could mean two amounts
 * is refused here.
 */
export function AmountField({ label, error, hint, value, onChange, ...rest }: Props) {
  const { t } = useTranslation();
  const id = useId();
  useDesktopFocus(id);
  const currency = useCurrency();
  const [typed, setTyped] = useState<Typed | null>(null);
  // Otherwise the form has set another amount meanwhile.
  const current = typed?.amount === value ? typed : null;
  const take = (text: string) => {
    const how = { decimals: currency.decimals, marks: numberMarks(), names: names(currency) };
    const read = readAmount(text, how);
    setTyped({ text, ...read });
    onChange(read.amount);
  };
  return (
    <Field
      label={label}
      error={current?.problem ? problemText(t, current.problem, currency) : error}
      hint={hint}
      id={id}
      before={
        // A token's sign is its code, which stands behind the amount.
        currency.symbol !== currency.code && (
          <span className={styles.unit} aria-hidden="true">
            {currency.symbol}
          </span>
        )
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
          value={current ? current.text : shownBack(value, currency)}
          onChange={take}
          onFocus={() => setTyped(current ?? { text: toEdit(value), amount: value, problem: null })}
          onBlur={() => setTyped(current?.problem ? current : null)}
        />
      )}
    </Field>
  );
}

function names({ code, symbol }: Currency): string[] {
  return [code, symbol, ...currencyNames(code)];
}

/** 1234.5 -> 1,234.50; whole amounts stay short. */
function shownBack(value: string, { decimals }: Currency): string {
  if (value === '') return '';
  const [whole = '', fraction] = value.split('.');
  return formatDigits(fraction ? `${whole}.${fraction.padEnd(decimals, '0')}` : whole);
}

/** The text without group separators, which would be in the way while digits are inserted. */
function toEdit(value: string): string {
  return value.replace('.', numberMarks().decimal);
}

function problemText(t: TFunction, problem: AmountProblem, { decimals }: Currency) {
  if (problem === 'decimals') {
    return decimals ? t('ui.amount.decimals', { count: decimals }) : t('ui.amount.noDecimals');
  }
  const example = formatDigits(decimals ? `1234.5${'0'.repeat(decimals - 1)}` : '1234');
  return t(`ui.amount.${problem}`, { example });
}
