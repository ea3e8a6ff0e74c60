import { platformCurrency } from '@/api/queries/currency';
import { formatDigits } from '@/i18n/format';

/** An amount with its code, because `kr` and `$` are used by several countries. */
export function formatForeign(amount: string, code: string): string {
  return `${formatDigits(amount)}\u00a0${code}`;
}

/** `1 USD = 0.9215 EUR`, with every digit of the rate. */
export function rateText(rate: string, to: string): string {
  return `${formatForeign('1', platformCurrency().code)} = ${formatForeign(rate, to)}`;
}
