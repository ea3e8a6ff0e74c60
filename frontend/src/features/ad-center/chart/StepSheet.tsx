import { useTranslation } from 'react-i18next';
import type { StatisticsPoint } from '@/api/types';
import { formatFigure, formatMoney } from '@/i18n/format';
import { flowPath } from '@/shared/money/flow-path';
import { MenuRow } from '@/ui/controls/MenuRow';
import { MenuRows } from '@/ui/controls/MenuRows';
import { Sheet } from '@/ui/layers/Sheet';
import { isPositive } from '@/ui/money/decimal';
import styles from './StepSheet.module.css';

export const measures = ['revenue', 'consumed', 'impressions', 'clicks'] as const;
export type Measure = (typeof measures)[number];

type Props = {
  name: string;
  step: StatisticsPoint;
  /** The beginning of the next step. */
  until: string;
  before: StatisticsPoint | undefined;
  /** Opens a step that the chart can show in more detail; null for others. */
  onHours: (() => void) | null;
  onClose: () => void;
};

/** All figures of one step of the chart, and the lists that they are the sums of. */
export function StepSheet({ name, step, until, before, onHours, onClose }: Props) {
  const { t } = useTranslation();
  // The lines behind a step are all its bills, whoever paid.
  const billed = [step, before].some((of) => of && of.billed !== of.consumed);
  const given = isPositive(step.platform_paid) || isPositive(before?.platform_paid ?? '0');
  const shown = [
    ...(['revenue', 'profit', 'consumed'] as const),
    ...(billed ? (['billed'] as const) : []),
    ...(given ? (['platform_paid'] as const) : []),
    ...(['impressions', 'clicks'] as const),
  ];
  return (
    <Sheet open onClose={onClose} title={name}>
      <table className={styles.figures}>
        <thead className={before ? undefined : 'visually-hidden'}>
          <tr>
            <th scope="col">
              <span className="visually-hidden">{t('adCenter.behind.figure')}</span>
            </th>
            <th scope="col">
              <span className="visually-hidden">{name}</span>
            </th>
            {before && <th scope="col">{t('adCenter.before')}</th>}
          </tr>
        </thead>
        <tbody>
          {shown.map((measure) => (
            <tr key={measure}>
              <th scope="row">{t(`adCenter.figures.${measure}`)}</th>
              <td>{figureOf(step, measure)}</td>
              {before && <td className={styles.before}>{figureOf(before, measure)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
      {step.corrected && <p className={styles.note}>{t('adCenter.corrected')}</p>}
      <MenuRows label={t('adCenter.behind.open', { point: name })}>
        {onHours && <MenuRow icon="chart" label={t('adCenter.behind.byHour')} onClick={onHours} />}
        <MenuRow
          icon="wallet"
          label={t('terms.lines', { kind: t('wallet.kind.ad_billing') })}
          hint={name}
          to={flowPath({ stretch: { from: step.at, until }, kind: 'ad_billing' })}
        />
        <MenuRow
          icon="plans"
          label={t('ui.wayPlans')}
          hint={t('adCenter.behind.plansHint')}
          to="/plan"
        />
      </MenuRows>
    </Sheet>
  );
}

type Shown = Measure | 'profit' | 'billed' | 'platform_paid';

/** A result is written with its sign everywhere. */
function figureOf(step: StatisticsPoint, measure: Shown): string {
  if (measure === 'profit') return formatMoney(step.profit, { sign: true });
  return formatFigure(step[measure]);
}
