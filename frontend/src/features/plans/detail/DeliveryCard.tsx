import { useTranslation } from 'react-i18next';
import type { PlanDetail } from '@/api/types';
import { formatCount, formatMoney } from '@/i18n/format';
import { Card } from '@/ui/display/Card';
import styles from './DeliveryCard.module.css';
import { Funnel } from './Funnel';

/** What was delivered. Refused events are shown too, so that nobody has to guess. */
export function DeliveryCard({ plan }: { plan: PlanDetail }) {
  const { t } = useTranslation();
  const { delivery } = plan;
  const figures = [
    [t('plans.consumed'), formatMoney(delivery.consumed)],
    [t('plans.revenue'), formatMoney(delivery.revenue)],
    [t('plans.filtered'), formatCount(delivery.filtered)],
  ];
  return (
    <Card title={t('plans.delivery')}>
      <Funnel plan={plan} />
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
