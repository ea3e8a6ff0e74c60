import { useTranslation } from 'react-i18next';
import type { PlanDetail } from '@/api/types';
import { formatCount, formatMoney } from '@/i18n/format';
import { eventsPath } from '@/shared/money/events-path';
import { flowPath } from '@/shared/money/flow-path';
import { LinkButton } from '@/ui/controls/LinkButton';
import { Facts } from '@/ui/display/Facts';
import { Sheet } from '@/ui/layers/Sheet';
import { settlementFact } from '../plan-status';
import styles from './FunnelSheet.module.css';

export const funnelSteps = ['impressions', 'clicks', 'conversions'] as const;
export type FunnelStep = (typeof funnelSteps)[number];

const kinds = { impressions: 'impression', clicks: 'click', conversions: 'conversion' } as const;

type Props = { plan: PlanDetail; step: FunnelStep; onClose: () => void };

/**
 * The number of a step's events, what they cost or earned, and the lines of the statement behind
 * them.
 */
export function FunnelSheet({ plan, step, onClose }: Props) {
  const { t } = useTranslation();
  const { pricing, price } = plan.put_rule;
  const billed = step === (pricing === 'cpm' ? 'impressions' : 'clicks');

  const conversions = step === 'conversions';
  const facts = [
    { label: t(`plans.${step}`), value: formatCount(plan.delivery[step]) },
    billed && {
      label: t('plans.funnel.price'),
      value: t(`plans.price.${pricing}`, { price: formatMoney(price) }),
    },
    billed && { label: t('plans.consumed'), value: formatMoney(plan.delivery.consumed) },
    conversions && { label: t('plans.payout'), value: formatMoney(plan.payout.amount) },
    conversions && { label: t('plans.revenue'), value: formatMoney(plan.delivery.revenue) },
    conversions && settlementFact(plan, t),
  ];
  const kind = billed ? 'ad_billing' : conversions && plan.settled_at ? 'settlement' : null;
  return (
    <Sheet
      open
      onClose={onClose}
      title={t(`plans.${step}`)}
      actions={
        <>
          <LinkButton to={eventsPath({ plan: plan.id, kind: kinds[step] })}>
            {t(`plans.events.every.${kinds[step]}`)}
          </LinkButton>
          {kind && (
            <LinkButton variant="secondary" to={flowPath({ plan: plan.id, kind })}>
              {t('terms.lines', { kind: t(`wallet.kind.${kind}`) })}
            </LinkButton>
          )}
        </>
      }
    >
      <p className={styles.about}>{t(`plans.funnel.about.${step}`)}</p>
      <Facts facts={facts} />
    </Sheet>
  );
}
