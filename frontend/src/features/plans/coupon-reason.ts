import type { TFunction } from 'i18next';
import type { Currency, QuotedCoupon } from '@/api/types';
import { couponMinimum } from '@/ui/coupon-text';

/** What stands against using it, in words that say what would help. */
export function couponReason(
  { coupon, reason }: QuotedCoupon,
  currency: Currency,
  t: TFunction,
): string {
  switch (reason) {
    case 'below_minimum':
      return couponMinimum(coupon, currency, t);
    case 'not_following':
      return t('ui.coupon.team', { id: coupon.operated_id ?? '' });
    case 'daily_limit':
      return t('plans.coupon.daily');
    default:
      return t('plans.coupon.notHere');
  }
}
