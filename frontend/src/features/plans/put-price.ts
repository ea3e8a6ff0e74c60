import type { Quote, QuotedCoupon } from '@/api/types';
import { compareDecimals, subtractDecimals } from '@/ui/decimal';

/** The best one as the server reckons it, none at all, or the one with this id. */
export type CouponChoice = 'best' | 'none' | { id: string };

export type Price = {
  /** The coupon that is used, if any. */
  coupon: QuotedCoupon | null;
  /** What the platform pays by the coupon. */
  couponPays: string;
  promotionalPays: string;
  availablePays: string;
  budget: string;
  feeRate: string;
};

/** The coupon that a choice means under this quote; one that does not fit means none. */
export function couponOf(quote: Quote, choice: CouponChoice): QuotedCoupon | null {
  const id = choice === 'best' ? quote.best : choice === 'none' ? null : choice.id;
  return quote.coupons.find((one) => one.coupon.id === id && one.applicable) ?? null;
}

/** What is paid by whom. Promotional credit goes first, as the server takes it. */
export function priceOf(
  quote: Quote,
  choice: CouponChoice,
  promotional: string,
  decimals: number,
): Price {
  const coupon = couponOf(quote, choice);
  const pays = coupon?.pays ?? quote.amount;
  const budget = coupon?.budget ?? quote.amount;
  const promotionalPays = compareDecimals(promotional, pays) < 0 ? promotional : pays;
  return {
    coupon,
    couponPays: subtractDecimals(budget, pays, decimals),
    promotionalPays,
    availablePays: subtractDecimals(pays, promotionalPays, decimals),
    budget,
    feeRate: quote.fee_rate,
  };
}
