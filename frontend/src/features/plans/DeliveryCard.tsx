import { useTranslation } from 'react-i18next';
import type { Currency, PlanDetail } from '@/api/types';
import { formatCount, formatMoney } from '@/i18n/format';
import { Card } from '@/ui/Card';
import styles from './DeliveryCard.module.css';

type Props = { delivery: PlanDetail['delivery']; currency: Currency };

/** What was delivered. Filtered events are shown, since nobody should have to guess at them. */
export function DeliveryCard({ delivery, currency }: Props) {
  const { t } = useTranslation();
  const figures = [
    [t('plans.impressions'), formatCount(delivery.impressions)],
    [t('plans.clicks'), formatCount(delivery.clicks)],
    [t('plans.conversions'), formatCount(delivery.conversions)],
    [t('plans.filtered'), formatCount(delivery.filtered)],
    [t('plans.consumed'), formatMoney(delivery.consumed, currency)],
    [t('plans.revenue'), formatMoney(delivery.revenue, currency)],
  ];
  return (
    <Card title={t('plans.delivery')}>
      <dl className={styles.grid}>
        {figures.map(([label, value]) => (
          <div key={label} className={styles.figure}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p className={styles.note}>{t('plans.filteredHint')}</p>
    </Card>
  );
}
