import { platformCurrency } from '@/api/queries/currency';
import { formatDigits } from '@/i18n/format';

/** An amount with its code, because `kr` and `$` are used by several countries. */
export function formatForeign(amount: string, code: string): string {
  return `${formatDigits(amount)} ${code}`;
}

/** `1 USD = 0.9215 EUR`, with every digit of the rate. */
export function rateText(rate: string, to: string): string {
  return `1 ${platformCurrency().code} = ${formatDigits(rate)} ${to}`;
}
