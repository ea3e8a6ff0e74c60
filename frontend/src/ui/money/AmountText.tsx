import type { CSSProperties } from 'react';
import { useCurrency } from '@/api/queries/currency';
import { formatMoney } from '@/i18n/format';
import { classNames } from '@/ui/class-names';
import styles from './AmountText.module.css';
import { CountUp } from './CountUp';

type Props = {
  amount: string;
  size?: 'inherit' | 'large' | 'balance';
  /** Shows + and -, and income in green. */
  signed?: boolean;
  /** Dots instead of figures, for who looks over the shoulder. */
  hidden?: boolean;
  /** Counts to its new value when it changes before the user's eyes. */
  counts?: boolean;
};

/** An amount with its currency, in figures of equal width. */
export function AmountText(props: Props) {
  const { amount, size = 'inherit', signed = false, hidden = false, counts = false } = props;
  const income = signed && /[1-9]/.test(amount) && !amount.startsWith('-');
  useCurrency();
  const format = (value: string) => formatMoney(value, { sign: signed });
  const text = hidden ? '••••••' : format(amount);
  return (
    <span
      className={classNames(styles.amount, styles[size], income && styles.income)}
      style={{ '--length': text.length } as CSSProperties}
    >
      {counts && !hidden ? <CountUp value={amount} format={format} /> : text}
    </span>
  );
}
