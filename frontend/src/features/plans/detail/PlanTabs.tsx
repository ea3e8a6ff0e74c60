import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import type { PlanDetail, VideoFigures } from '@/api/types';
import { formatCount, formatPercent } from '@/i18n/format';
import { Tabs } from '@/ui/controls/Tabs';
import { Card } from '@/ui/display/Card';
import { Facts } from '@/ui/display/Facts';
import { ratioOf } from '@/ui/money/decimal';
import { costText } from '../cost-text';
import { ExclusionsCard } from '../exclusions/ExclusionsCard';
import { AiDeliveryCard } from './AiDeliveryCard';
import { DeliveryCard } from './DeliveryCard';
import { MoneyCard } from './MoneyCard';
import { PlanBought } from './PlanBought';
import styles from './PlanDetailPage.module.css';
import { type PlanTab, planTabOf, planTabs } from './plan-tab';
import { SeriesCard } from './SeriesCard';
import { SourcesCard } from './SourcesCard';
import { TimelineCard } from './TimelineCard';

/** Delivery, money and what was bought, one at a time; the address says which. */
export function PlanTabs({ plan }: { plan: PlanDetail }) {
  const { t } = useTranslation();
  const [params, setParams] = useSearchParams();
  const tab = planTabOf(params);
  const choose = (key: PlanTab) => {
    const next = new URLSearchParams(params);
    if (key === planTabs[0]) next.delete('tab');
    else next.set('tab', key);
    // Replaced, not added: the back arrow leads out of the plan, not through its tabs.
    setParams(next, { replace: true });
  };
  return (
    <Tabs
      label={t('plans.tabs')}
      tabs={planTabs.map((key) => ({ key, label: t(`plans.${key}`) }))}
      value={tab}
      onChange={choose}
    >
      <div className={styles.cards}>
        {tab === 'delivery' && <Delivery plan={plan} />}
        {tab === 'money' && (
          <>
            <MoneyCard plan={plan} />
            <RatiosCard plan={plan} />
            <TimelineCard plan={plan} />
          </>
        )}
        {tab === 'bought' && <PlanBought plan={plan} />}
      </div>
    </Tabs>
  );
}

function Delivery({ plan }: { plan: PlanDetail }) {
  return (
    <>
      <DeliveryCard plan={plan} />
      {plan.video && <VideoCard video={plan.video} />}
      <SeriesCard plan={plan} />
      <SourcesCard plan={plan} />
      <ExclusionsCard plan={plan} />
      {plan.ai && <AiDeliveryCard ai={plan.ai} />}
    </>
  );
}

/** The plan's rates, and its costs per click and per conversion, as the server computed them. */
function RatiosCard({ plan }: { plan: PlanDetail }) {
  const { t } = useTranslation();
  const { ratios } = plan;
  // Coupon and credit pay a part that is nobody's loss: then one's own part stands beside the whole.
  const own = (whole: string | null, part: string | null) =>
    whole === null || part === null || whole === part
      ? undefined
      : t('plans.heldOwn', { amount: costText(part) });
  return (
    <Card title={t('plans.ratios.title')}>
      <Facts
        facts={[
          {
            label: t('plans.ratios.clickRate'),
            value: formatPercent(ratios.click_rate),
            hint: t('plans.ratios.clickRateHint'),
          },
          {
            label: t('plans.ratios.viewable'),
            value: formatPercent(ratios.viewable_rate),
            hint: t('plans.ratios.viewableHint'),
          },
          {
            label: t('plans.ratios.perClick'),
            value: costText(ratios.cost_per_click),
            hint: own(ratios.cost_per_click, ratios.own_cost_per_click),
          },
          {
            label: t('plans.ratios.perConversion'),
            value: costText(ratios.cost_per_conversion),
            hint: own(ratios.cost_per_conversion, ratios.own_cost_per_conversion),
          },
        ]}
      />
    </Card>
  );
}

/** How far the plan’s video was played, as the readers’ players report it. */
function VideoCard({ video }: { video: VideoFigures }) {
  const { t } = useTranslation();
  const part = (share: string) => t('plans.video.reached', { part: formatPercent(share) });
  const of = (label: string, count: number) => {
    const share = ratioOf(String(count), String(video.started), 4);
    const hint = share === null ? undefined : formatPercent(share);
    return { label, value: formatCount(count), hint };
  };
  return (
    <Card title={t('plans.video.title')}>
      <Facts
        facts={[
          {
            label: t('plans.video.started'),
            value: formatCount(video.started),
            hint: t('plans.video.hint'),
          },
          of(part('0.25'), video.first_quartile),
          of(part('0.5'), video.midpoint),
          of(part('0.75'), video.third_quartile),
          of(t('plans.video.completed'), video.completed),
          of(t('plans.video.skipped'), video.skipped),
        ]}
      />
    </Card>
  );
}
