import { formatMoney, formatPrice, noFigure } from '@/i18n/format';
import { compareDecimals } from '@/ui/money/decimal';

/** Only what is less than one of the currency needs more places than other money has. */
export function costText(amount: string | null): string {
  if (amount === null) return noFigure;
  return compareDecimals(amount, '1') < 0 ? formatPrice(amount) : formatMoney(amount);
}
