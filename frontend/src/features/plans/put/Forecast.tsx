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
 * The facts about an amount that follow from the terms alone: the number of views or clicks that it
 * pays for, and the number of conversions that pay it back. The actual numbers cannot be known.
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

/**
 * The number of conversions that pay back the user's own money. A coupon's part need not come back.
 */
function PaysBack({ count }: { count: bigint | null }) {
  const { t } = useTranslation();
  if (count === null) return t('plans.forecast.never');
  if (count === 0n) return t('plans.forecast.free');
  return t('plans.forecast.from', { number: formatCount(Number(count)) });
}

/** The payout of one conversion after the fee, with all digits. */
function netOf({ payout }: Product, feeRate: string): string {
  const fee = exactShareOf(payout.amount, feeRate);
  return formatMoney(subtractDecimals(payout.amount, fee), { places: decimalsOf(fee) });
}
