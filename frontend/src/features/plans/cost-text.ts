import { formatMoney, formatPrice } from '@/i18n/format';
import { compareDecimals } from '@/ui/money/decimal';

/** Only what is less than one of the currency needs more places than other money has. */
export function costText(amount: string): string {
  return compareDecimals(amount, '1') < 0 ? formatPrice(amount) : formatMoney(amount);
}
