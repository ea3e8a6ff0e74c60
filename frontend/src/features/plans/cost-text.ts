import { formatMoney, formatPrice, noFigure } from '@/i18n/format';
import { compareDecimals } from '@/ui/money/decimal';

/**
 * A cost per event. Only costs below one unit of the currency need more decimals than other
 * amounts.
 */
export function costText(amount: string | null): string {
  if (amount === null) return noFigure;
  return compareDecimals(amount, '1') < 0 ? formatPrice(amount) : formatMoney(amount);
}
