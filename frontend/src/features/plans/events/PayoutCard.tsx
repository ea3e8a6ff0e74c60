import { useTranslation } from 'react-i18next';
import type { PlanEventDetail } from '@/api/types';
import { formatDate, formatMoney } from '@/i18n/format';
import { flowPath } from '@/shared/money/flow-path';
import { MenuRow } from '@/ui/controls/MenuRow';
import { Card } from '@/ui/display/Card';
import { Facts } from '@/ui/display/Facts';
import { settlementFact } from '../plan-status';
import styles from './EventPage.module.css';

/** What a conversion pays, and when. */
export function PayoutCard({ event, plan }: { event: PlanEventDetail; plan: string }) {
  const { t } = useTranslation();
  const facts = [
    { label: t('plans.payout'), value: formatMoney(event.payout ?? '0') },
    event.reversed_at
      ? { label: t('plans.events.takenBack'), value: formatDate(event.reversed_at) }
      : event.counted && settlementFact(event, t),
  ];
  return (
    <Card title={t('plans.revenue')}>
      <Facts facts={facts} />
      {event.counted && event.settled_at && (
        <div className={styles.rows}>
          <MenuRow
            icon="list"
            label={t('wallet.kind.settlement')}
            to={flowPath({ plan, kind: 'settlement' })}
          />
        </div>
      )}
    </Card>
  );
}
