import { useTranslation } from 'react-i18next';
import type { PlanDetail, PlanPoint } from '@/api/types';
import { formatCount, formatMoney } from '@/i18n/format';
import { flowPath } from '@/shared/money/flow-path';
import { MenuRow } from '@/ui/controls/MenuRow';
import { MenuRows } from '@/ui/controls/MenuRows';
import { Facts } from '@/ui/display/Facts';
import { Sheet } from '@/ui/layers/Sheet';
import { isPositive } from '@/ui/money/decimal';

type Props = {
  plan: PlanDetail;
  point: PlanPoint;
  name: string;
  /** Shows the hours of a day; null for other steps. */
  onHours: (() => void) | null;
  onClose: () => void;
};

/** All figures of one step of the chart, with its hours and its bills. */
export function PointSheet({ plan, point, name, onHours, onClose }: Props) {
  const { t } = useTranslation();
  const given = isPositive(point.platform_paid);
  const { at: from, until } = point;
  return (
    <Sheet open onClose={onClose} title={name}>
      <Facts
        facts={[
          { label: t('plans.impressions'), value: formatCount(point.impressions) },
          { label: t('plans.clicks'), value: formatCount(point.clicks) },
          { label: t('plans.conversions'), value: formatCount(point.conversions) },
          { label: t('plans.filtered'), value: formatCount(point.filtered) },
          {
            label: t('plans.consumed'),
            value: formatMoney(point.consumed),
            hint: given
              ? t('plans.platformPaid', { amount: formatMoney(point.platform_paid) })
              : undefined,
          },
          point.billed !== point.consumed && {
            label: t('adCenter.figures.billed'),
            value: formatMoney(point.billed),
          },
          {
            label: t('plans.revenue'),
            value: formatMoney(point.revenue),
            hint: point.corrected ? t('adCenter.corrected') : undefined,
          },
          {
            label: t('adCenter.figures.profit'),
            value: formatMoney(point.profit, { sign: true }),
          },
        ]}
      />
      <MenuRows label={t('adCenter.behind.open', { point: name })}>
        {onHours && <MenuRow icon="chart" label={t('plans.series.hour')} onClick={onHours} />}
        <MenuRow
          icon="wallet"
          label={t('terms.lines', { kind: t('wallet.kind.ad_billing') })}
          hint={name}
          to={flowPath({ plan: plan.id, kind: 'ad_billing', stretch: { from, until } })}
        />
      </MenuRows>
    </Sheet>
  );
}
