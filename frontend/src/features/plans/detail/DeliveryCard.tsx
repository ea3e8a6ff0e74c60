import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PlanDetail } from '@/api/types';
import { formatCount, formatMoney, formatPercent } from '@/i18n/format';
import { eventsPath } from '@/shared/money/events-path';
import { flowPath } from '@/shared/money/flow-path';
import { usePoints } from '@/ui/charts/use-points';
import { LinkButton } from '@/ui/controls/LinkButton';
import { Card } from '@/ui/display/Card';
import { Facts } from '@/ui/display/Facts';
import { Icon } from '@/ui/display/Icon';
import { Sheet } from '@/ui/layers/Sheet';
import { settlementFact } from '../plan-status';
import styles from './DeliveryCard.module.css';

/** The delivered events. Refused events are shown too, so that nobody has to guess. */
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

/** The steps from views to conversions, each as a share of the previous one. */
function Funnel({ plan }: { plan: PlanDetail }) {
  const { t } = useTranslation();
  const { delivery } = plan;
  const [opened, setOpened] = useState<FunnelStep | null>(null);
  const { onKeyDown, pointProps } = usePoints('down', funnelSteps.length, 0);
  return (
    <>
      <table className={styles.funnel}>
        <caption className="visually-hidden">{t('plans.funnel.caption')}</caption>
        <thead className="visually-hidden">
          <tr>
            <th scope="col">{t('plans.funnel.step')}</th>
            <th scope="col">{t('plans.funnel.count')}</th>
            <th scope="col">{t('plans.funnel.share')}</th>
          </tr>
        </thead>
        <tbody onKeyDown={onKeyDown}>
          {funnelSteps.map((name, at) => {
            const before = at > 0 ? delivery[funnelSteps[at - 1] ?? name] : null;
            const whole = before ?? delivery[name];
            const share = whole > 0 ? delivery[name] / whole : 0;
            return (
              <tr key={name} className={styles.step}>
                <th scope="row">
                  <button
                    type="button"
                    className={styles.open}
                    aria-haspopup="dialog"
                    onClick={() => setOpened(name)}
                    {...pointProps(at)}
                  >
                    {t(`plans.${name}`)}
                    <Icon name="chevron" size={16} />
                  </button>
                </th>
                <td className={styles.count}>{formatCount(delivery[name])}</td>
                <td className={styles.share}>
                  {before !== null && before > 0 && (
                    <span className={styles.rate}>{formatPercent(share.toFixed(6))}</span>
                  )}
                  <span className={styles.track} aria-hidden="true">
                    {/* More than one conversion may follow a click. */}
                    <span style={{ width: `${Math.min(1, share) * 100}%` }} />
                  </span>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {opened && <FunnelSheet plan={plan} step={opened} onClose={() => setOpened(null)} />}
    </>
  );
}

const funnelSteps = ['impressions', 'clicks', 'conversions'] as const;
type FunnelStep = (typeof funnelSteps)[number];

const kinds = { impressions: 'impression', clicks: 'click', conversions: 'conversion' } as const;

type Props = { plan: PlanDetail; step: FunnelStep; onClose: () => void };

/**
 * The number of a step's events, what they cost or earned, and the lines of the statement behind
 * them.
 */
function FunnelSheet({ plan, step, onClose }: Props) {
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
