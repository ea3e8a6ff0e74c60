import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Statistics } from '@/api/types';
import { formatDate, formatFigure, formatMarks, formatShortTime } from '@/i18n/format';
import { AreaChart } from '@/ui/charts/AreaChart';
import { ChartTable } from '@/ui/charts/ChartTable';
import { Tabs } from '@/ui/controls/Tabs';
import type { Period } from '../queries';
import styles from './SeriesChart.module.css';
import { type Measure, measures, StepSheet } from './StepSheet';
import { stepEnd, stepName } from './step-name';

type Props = { data: Statistics; period: Period; onHours: () => void };

export function SeriesChart({ data, period, onHours }: Props) {
  const { t } = useTranslation();
  const { series, previous } = data;
  // The same steps of the previous period, if there was one.
  const before = previous?.series ?? null;
  const [measure, setMeasure] = useState<Measure>('revenue');
  const [opened, setOpened] = useState<string | null>(null);

  const when = (at: string) => (period === 'today' ? formatShortTime(at) : formatDate(at));
  // A float is used only for the height in the picture: the text beside it is exact.
  const figure = (point: (typeof series)[number]) => ({
    value: Number(point[measure]),
    text: formatFigure(point[measure]),
  });
  const points = series.map((point, index) => {
    const earlier = before?.[index];
    return { label: when(point.at), ...figure(point), ...(earlier && { before: figure(earlier) }) };
  });
  const name = t(`adCenter.figures.${measure}`);
  const counts = typeof data[measure] === 'number';
  const label = t('adCenter.chart', { measure: name });
  const at = series.findIndex((point) => point.at === opened);
  const step = series[at];
  const close = () => setOpened(null);
  return (
    <div className={styles.chart}>
      <Tabs
        label={t('adCenter.measure')}
        tabs={measures.map((key) => ({ key, label: t(`adCenter.figures.${key}`) }))}
        value={measure}
        onChange={setMeasure}
        variant="pills"
      >
        <AreaChart
          // A point selected in one period does not exist in another.
          key={period}
          points={points}
          label={label}
          // The server's own sum of the period.
          total={{
            label: t(`adCenter.total.${period}`, { measure: name }),
            text: formatFigure(data[measure]),
            before: previous ? formatFigure(previous[measure]) : undefined,
          }}
          markTexts={(marks) => formatMarks(marks, counts ? 'count' : 'money')}
          whole={counts}
          beforeLabel={t('adCenter.before')}
          openLabel={(point) => t('adCenter.behind.open', { point })}
          onOpen={(index) => setOpened(series[index]?.at ?? null)}
        />
      </Tabs>
      <ChartTable
        caption={label}
        columns={[t('adCenter.time'), name, ...(before ? [t('adCenter.before')] : [])]}
        rows={points.map((point, index) => ({
          key: series[index]?.at ?? '',
          name: point.label,
          texts: [point.text, ...(before ? [point.before?.text ?? ''] : [])],
        }))}
      />
      {step && (
        <StepSheet
          name={stepName(series, at, period)}
          step={step}
          until={stepEnd(series, at, period)}
          before={before?.[at]}
          // Today is the last step of every longer period, and the sum of its hours.
          onHours={
            period !== 'today' && at === series.length - 1
              ? () => {
                  close();
                  onHours();
                }
              : null
          }
          onClose={close}
        />
      )}
    </div>
  );
}
