import type { Quote, QuotedCoupon } from '@/api/types';
import { subtractDecimals } from '@/ui/money/decimal';

/** The best one according to the server, none, or the one with this id. */
export type CouponChoice = 'best' | 'none' | { id: string };

export type Price = {
  /** The coupon that is used, if any. */
  coupon: QuotedCoupon | null;
  /** The part that the platform pays through the coupon. */
  couponPays: string;
  promotionalPays: string;
  availablePays: string;
  budget: string;
  feeRate: string;
  /** The rate of the product's terms, if it was reduced. */
  listFeeRate: string;
  affordable: boolean;
};

/**
 * The coupon that a choice means with this quote. One that is not applicable means none; one that
 * is gone means the best.
 */
export function couponOf(quote: Quote, choice: CouponChoice): QuotedCoupon | null {
  if (choice === 'none') return null;
  const chosen = choice !== 'best' && quote.coupons.find((one) => one.coupon.id === choice.id);
  const found = chosen || quote.coupons.find((one) => one.coupon.id === quote.best);
  return found?.applicable ? found : null;
}

/** The parts of the price by payer, as the server quoted them. */
export function priceOf(quote: Quote, choice: CouponChoice): Price {
  const coupon = couponOf(quote, choice);
  const parts = coupon ?? { ...quote, pays: quote.amount, budget: quote.amount };
  return {
    coupon,
    couponPays: subtractDecimals(parts.budget, parts.pays),
    promotionalPays: parts.promotional_pays,
    availablePays: parts.available_pays,
    budget: parts.budget,
    feeRate: quote.fee_rate,
    listFeeRate: quote.list_fee_rate,
    affordable: parts.affordable,
  };
}
