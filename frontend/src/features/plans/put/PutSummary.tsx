import { useTranslation } from 'react-i18next';
import type { Product } from '@/api/types';
import { decimalsOf, formatMoney, formatPercent } from '@/i18n/format';
import { Facts } from '@/ui/display/Facts';
import { Skeleton } from '@/ui/feedback/Skeleton';
import { compareDecimals, exactShareOf, isPositive, subtractDecimals } from '@/ui/money/decimal';
import type { Price } from './put-price';

type Props = {
  /** Null while there is no amount, or its price is loading. */
  price: Price | null;
  loading: boolean;
  product: Product;
  available: string | undefined;
};

/** Everything the put costs and what it cannot promise, before it is confirmed. */
export function PutSummary({ price, loading, product, available }: Props) {
  const { t } = useTranslation();
  const shown = (value: string) => (loading ? <Skeleton width="5em" /> : value);
  const { payout } = product;
  const rate = price?.feeRate ?? product.fee_rate;
  const budget = price?.budget ?? '0';
  const lowered = price && compareDecimals(price.feeRate, price.listFeeRate) < 0;

  const feeEach = exactShareOf(payout.amount, rate);

  const facts = [
    price &&
      isPositive(price.couponPays) && {
        label: t('plans.couponPays'),
        value: formatMoney(price.couponPays),
        hint: price.coupon?.coupon.name,
      },
    price &&
      isPositive(price.promotionalPays) && {
        label: t('plans.credit'),
        value: formatMoney(price.promotionalPays),
        hint: t('plans.creditHint'),
      },
    {
      label: t('plans.heldNow'),
      value: shown(formatMoney(price?.availablePays ?? '0')),
      hint: t('plans.heldHint'),
    },
    price &&
      compareDecimals(budget, price.availablePays) !== 0 && {
        label: t('plans.budgetOf'),
        value: formatMoney(budget),
      },
    { label: t('plans.feeNow'), value: formatMoney('0') },
    {
      label: t('plans.feeLater', { percent: formatPercent(rate) }),
      // Settlement rounds once, on the whole revenue, not for each conversion.
      value: formatMoney(feeEach, { places: decimalsOf(feeEach) }),
      hint: lowered
        ? t('plans.feeLowered', { percent: formatPercent(price.listFeeRate) })
        : t('plans.feeLaterHint', { payout: formatMoney(payout.amount) }),
    },
    price &&
      available !== undefined &&
      compareDecimals(available, price.availablePays) >= 0 && {
        label: t('plans.availableAfter'),
        value: formatMoney(subtractDecimals(available, price.availablePays)),
      },
  ];
  return <Facts facts={facts} />;
}
