import { useTranslation } from 'react-i18next';
import type { Product } from '@/api/types';
import { decimalsOf, formatCount, formatMoney } from '@/i18n/format';
import { Skeleton } from '@/ui/feedback/Skeleton';
import { exactShareOf, subtractDecimals } from '@/ui/money/decimal';
import { breakEven } from './break-even';
import styles from './Forecast.module.css';
import { unitsFor } from './put-check';
import type { Price } from './put-price';

type Props = {
  /** Null while there is no amount that can be put, or its price is loading. */
  price: Price | null;
  loading: boolean;
  product: Product;
};

/**
 * What the terms alone say about an amount: how many views or clicks it pays for, and how many
 * conversions pay it back. How many there will be, nobody knows.
 */
export function Forecast({ price, loading, product }: Props) {
  const { t } = useTranslation();
  if (!price && !loading) return <p className={styles.empty}>{t('plans.forecast.empty')}</p>;
  const { put_rule: rule } = product;
  return (
    <section className={styles.card} aria-label={t('plans.forecast.title')}>
      <dl className={styles.parts} aria-live="polite">
        <div>
          <dt>{t(`plans.buys.${rule.pricing}`)}</dt>
          <dd>
            {price ? (
              t('plans.atMost', { count: formatCount(unitsFor(price.budget, rule)) })
            ) : (
              <Skeleton width="6em" />
            )}
          </dd>
          <dd className={styles.hint}>
            {t(`plans.price.${rule.pricing}`, { price: formatMoney(rule.price) })}
          </dd>
        </div>
        <div>
          <dt>{t('plans.forecast.paysBack')}</dt>
          <dd>
            {price ? (
              <PaysBack
                count={breakEven(price.availablePays, product.payout.amount, price.feeRate)}
              />
            ) : (
              <Skeleton width="6em" />
            )}
          </dd>
          {price && (
            <dd className={styles.hint}>
              {t('plans.forecast.each', { amount: netOf(product, price.feeRate) })}
            </dd>
          )}
        </div>
      </dl>
      <p className={styles.note}>{t('plans.noPromise')}</p>
    </section>
  );
}

/** Of the user's own money alone: what a coupon pays need not come back. */
function PaysBack({ count }: { count: bigint | null }) {
  const { t } = useTranslation();
  if (count === null) return t('plans.forecast.never');
  if (count === 0n) return t('plans.forecast.free');
  return t('plans.forecast.from', { number: formatCount(Number(count)) });
}

/** What is left of one conversion's payout after the fee, to its last digit. */
function netOf({ payout }: Product, feeRate: string): string {
  const fee = exactShareOf(payout.amount, feeRate);
  return formatMoney(subtractDecimals(payout.amount, fee), { places: decimalsOf(fee) });
}
