import { useTranslation } from 'react-i18next';
import type { Product } from '@/api/types';
import { formatMoney, formatPercent } from '@/i18n/format';
import { Card } from '@/ui/display/Card';
import { Facts } from '@/ui/display/Facts';
import styles from './GoodsDetailPage.module.css';

/** The price of delivery, the payout of a conversion, and the platform's fee. */
export function ProductTerms({ product }: { product: Product }) {
  const { t } = useTranslation();
  const { put_rule: rule, payout } = product;
  return (
    <Card title={t('plans.terms')}>
      <p className={styles.explained}>
        {t(`plans.explained.${rule.pricing}`, { price: formatMoney(rule.price) })}
      </p>
      <Facts
        facts={[
          {
            label: t('plans.payout'),
            value: formatMoney(payout.amount),
            hint: t('plans.payoutHint'),
          },
          {
            label: t('plans.feeRate'),
            value: formatPercent(product.fee_rate),
            hint: t('plans.feeRateHint'),
          },
          {
            label: t('plans.attribution'),
            // Without an attribution window, conversions count until the plan ends.
            value:
              product.attribution_days > 0
                ? t('plans.days', { count: product.attribution_days })
                : t('plans.whileItRuns'),
            hint: t('plans.attributionHint'),
          },
          { label: t('plans.runs'), value: t('plans.days', { count: rule.days }) },
          {
            label: t('plans.range'),
            value: `${formatMoney(product.min_put)} – ${formatMoney(product.max_put)}`,
          },
        ]}
      />
      <p className={styles.caution}>{t('plans.noPromise')}</p>
    </Card>
  );
}
