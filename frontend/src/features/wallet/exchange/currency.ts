import { platformCurrency } from '@/api/queries/currency';
import { formatDigits } from '@/i18n/format';
import { bcp47 } from '@/i18n/languages';
import { currentLanguage } from '@/i18n/texts';

/** An amount with its code, because `kr` and `$` are used by several countries. */
export function formatForeign(amount: string, code: string): string {
  return `${formatDigits(amount)} ${code}`;
}

/** `Euro`, in the reader's language. */
export function currencyName(code: string): string {
  const names = new Intl.DisplayNames(bcp47(currentLanguage()), { type: 'currency' });
  return names.of(code) ?? code;
}

/** `1 USD = 0.9215 EUR`, with every digit of the rate. */
export function rateText(rate: string, to: string): string {
  return `1 ${platformCurrency().code} = ${formatDigits(rate)} ${to}`;
}
