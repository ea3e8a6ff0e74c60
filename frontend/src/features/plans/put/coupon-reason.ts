import type { TFunction } from 'i18next';
import type { QuotedCoupon } from '@/api/types';
import { couponMinimum } from '@/ui/money/coupon-text';
import { compareDecimals } from '@/ui/money/decimal';

/** Why the coupon is not applicable, in words that say what would help. */
export function couponReason(
  { coupon, reason }: QuotedCoupon,
  amount: string,
  t: TFunction,
): string {
  if (reason === 'coupon_daily_limit') return t('plans.coupon.daily');
  if (compareDecimals(amount, coupon.min_amount) < 0) return couponMinimum(coupon, t);
  if (coupon.operated_id) return t('offers.coupon.team', { id: coupon.operated_id });
  return t('plans.coupon.notHere');
}
