import type { TFunction } from 'i18next';
import type { Coupon } from '@/api/types';
import { formatDate, formatMoney, formatPercent } from '@/i18n/format';
import { isPositive } from './decimal';

type Effect = Pick<Coupon, 'effect' | 'value' | 'max_value'>;

function value({ effect, value: of }: Effect): string {
  return effect === 'discount' ? formatPercent(of) : formatMoney(of);
}

/** The coupon's value in two words: `10% off`, `+$5.00`. */
export function couponHeadline(coupon: Effect, t: TFunction): string {
  return t(`offers.coupon.headline.${coupon.effect}`, { value: value(coupon) });
}

/** The coupon's effect as a sentence that says who pays. */
export function couponEffect(coupon: Effect, t: TFunction): string {
  const given = { value: value(coupon) };
  if (coupon.effect === 'discount' && coupon.max_value) {
    const max = formatMoney(coupon.max_value);
    return t('offers.coupon.capped', { ...given, max });
  }
  return t(`offers.coupon.effect.${coupon.effect}`, given);
}

export function couponMinimum(coupon: Pick<Coupon, 'min_amount'>, t: TFunction) {
  if (!isPositive(coupon.min_amount)) return t('offers.coupon.anyAmount');
  return t('offers.coupon.minimum', { amount: formatMoney(coupon.min_amount) });
}

/** The date until which the coupon can be used, or on which it was used or expired. */
export function couponDate(coupon: Coupon, t: TFunction): string {
  if (coupon.status === 'used' && coupon.used_at) {
    return t('offers.coupon.used', { date: formatDate(coupon.used_at) });
  }
  const date = formatDate(coupon.expires_at);
  return coupon.status === 'expired'
    ? t('offers.coupon.expired', { date })
    : t('offers.coupon.until', { date });
}
