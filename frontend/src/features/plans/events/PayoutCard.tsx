import { useTranslation } from 'react-i18next';
import type { PlanEventDetail } from '@/api/types';
import { formatDate, formatMoney } from '@/i18n/format';
import { flowPath } from '@/shared/money/flow-path';
import { MenuRow } from '@/ui/controls/MenuRow';
import { Card } from '@/ui/display/Card';
import { type Fact, Facts } from '@/ui/display/Facts';
import styles from './EventPage.module.css';

/** What a conversion pays, and when. */
export function PayoutCard({ event, plan }: { event: PlanEventDetail; plan: string }) {
  const { t } = useTranslation();
  const facts: Fact[] = [{ label: t('plans.payout'), value: formatMoney(event.payout ?? '0') }];
  const settled = event.settled_at;
  const date = settled ?? event.settles_at;
  if (event.reversed_at) {
    facts.push({ label: t('plans.events.takenBack'), value: formatDate(event.reversed_at) });
  } else if (event.counted && date) {
    facts.push({
      label: t(settled ? 'plans.settledOn' : 'plans.settlesOn'),
      value: formatDate(date),
    });
  }
  return (
    <Card title={t('plans.revenue')}>
      <Facts facts={facts} />
      {event.counted && settled && (
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
