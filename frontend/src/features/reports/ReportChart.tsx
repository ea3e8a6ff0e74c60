import { useTranslation } from 'react-i18next';
import type { Report, ReportFigures } from '@/api/types';
import { formatMarks, formatShortUtcDay } from '@/i18n/format';
import { useNavigate } from '@/shared/navigation/use-navigate';
import { AreaChart } from '@/ui/charts/AreaChart';
import { toPlot } from '@/ui/money/decimal';
import { figureText, measureName } from './figures';
import { type Measure, reportPath } from './report-choice';

type Props = { report: Report; measure: Measure };

/** The days, each with the one that it is held against. A day leads to what it was made of. */
export function ReportChart({ report, measure }: Props) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { rows, totals, before } = report;
  const name = measureName(measure, t);
  const isCount = typeof totals[measure] === 'number';
  const kind = measure === 'return_on_spend' ? 'percent' : isCount ? 'count' : 'money';
  const figure = (of: ReportFigures) => ({
    // A float is used only for the height in the picture: the text beside it is exact.
    value: toPlot(String(of[measure] ?? 0)),
    text: figureText(measure, of),
  });
  const openDay = (at: number) => {
    const day = rows[at]?.key;
    if (!day) return;
    const days = { from: day, to: day };
    navigate(reportPath({ days, by: 'plan', measure, sorting: null }));
  };
  return (
    <AreaChart
      key={report.from + report.to}
      points={rows.map((row) => ({
        label: formatShortUtcDay(row.key),
        ...figure(row),
        before: figure(row.before),
      }))}
      label={t('adCenter.chart', { measure: name })}
      total={{
        label: name,
        text: figureText(measure, totals),
        before: figureText(measure, before),
      }}
      markTexts={(marks) => formatMarks(marks, kind)}
      whole={isCount}
      beforeLabel={t('adCenter.before')}
      openLabel={(point) => t('reports.dayByPlan', { day: point })}
      opens="page"
      onOpen={openDay}
    />
  );
}
