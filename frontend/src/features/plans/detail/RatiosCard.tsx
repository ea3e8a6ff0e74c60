import { useTranslation } from 'react-i18next';
import type { PlanDetail } from '@/api/types';
import { formatPercent } from '@/i18n/format';
import { Card } from '@/ui/display/Card';
import { Facts } from '@/ui/display/Facts';
import { costText } from '../cost-text';

/** What the figures come to per click and per conversion, as the server computed it. */
export function RatiosCard({ plan }: { plan: PlanDetail }) {
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
