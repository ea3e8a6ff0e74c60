import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { StatisticsPoint } from '@/api/types';
import { useCurrency } from '@/app/basic-config';
import { formatCount, formatDate, formatMoney, formatShortTime } from '@/i18n/format';
import { Button } from '@/ui/Button';
import { Tabs } from '@/ui/Tabs';
import { AreaChart } from './AreaChart';
import type { Period } from './queries';
import styles from './SeriesChart.module.css';

const measures = ['revenue', 'consumed', 'impressions', 'clicks'] as const;
type Measure = (typeof measures)[number];

type Props = {
  series: StatisticsPoint[];
  /** The same steps of the period before, where there was one. */
  before: StatisticsPoint[] | null;
  period: Period;
};

export function SeriesChart({ series, before, period }: Props) {
  const { t } = useTranslation();
  const currency = useCurrency();
  const [measure, setMeasure] = useState<Measure>('revenue');
  const [table, setTable] = useState(false);

  const when = (at: string) => (period === 'today' ? formatShortTime(at) : formatDate(at));
  const text = (value: string | number) =>
    typeof value === 'number' ? formatCount(value) : formatMoney(value, currency);
  // Only the picture's height is a float: the text beside it stays exact.
  const figure = (point: StatisticsPoint) => ({
    value: Number(point[measure]),
    text: text(point[measure]),
  });
  const points = series.map((point, index) => {
    const earlier = before?.[index];
    return {
      label: when(point.at),
      ...figure(point),
      ...(earlier && { before: figure(earlier) }),
    };
  });
  const name = t(`adCenter.figures.${measure}`);
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
          points={points}
          label={t('adCenter.chart', { measure: name })}
          beforeLabel={t('adCenter.before')}
        />
        {before && (
          <p className={styles.legend} aria-hidden="true">
            <span className={styles.now}>{name}</span>
            <span className={styles.before}>{t('adCenter.before')}</span>
          </p>
        )}
      </Tabs>
      <Button variant="quiet" size="small" onClick={() => setTable(!table)}>
        {table ? t('adCenter.hideTable') : t('adCenter.showTable')}
      </Button>
      {table && (
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">{t('adCenter.time')}</th>
              <th scope="col">{name}</th>
              {before && <th scope="col">{t('adCenter.before')}</th>}
            </tr>
          </thead>
          <tbody>
            {points.map((point, index) => (
              <tr key={series[index]?.at}>
                <td>{point.label}</td>
                <td>{point.text}</td>
                {before && <td>{point.before?.text}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}
