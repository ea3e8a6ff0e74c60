import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import type { PlanDetail } from '@/api/types';
import { Tabs } from '@/ui/controls/Tabs';
import { ExclusionsCard } from '../exclusions/ExclusionsCard';
import { VideoCard } from '../video/VideoCard';
import { AiDeliveryCard } from './AiDeliveryCard';
import { DeliveryCard } from './DeliveryCard';
import { MoneyCard } from './MoneyCard';
import { PlanBought } from './PlanBought';
import styles from './PlanDetailPage.module.css';
import { type PlanTab, planTabOf, planTabs } from './plan-tab';
import { RatiosCard } from './RatiosCard';
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
