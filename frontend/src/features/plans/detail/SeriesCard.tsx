import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PlanDetail, PlanPoint } from '@/api/types';
import { formatDate, formatFigure, formatShortDate, formatShortTime } from '@/i18n/format';
import { BarChart } from '@/ui/charts/BarChart';
import { ChartTable } from '@/ui/charts/ChartTable';
import { Tabs } from '@/ui/controls/Tabs';
import { Card } from '@/ui/display/Card';
import { CardSkeleton } from '@/ui/feedback/CardSkeleton';
import { Skeleton } from '@/ui/feedback/Skeleton';
import { Unanswered } from '@/ui/feedback/Unanswered';
import { toPlot } from '@/ui/money/decimal';
import { usePlanSeries } from '../queries';
import { PointSheet } from './PointSheet';
import styles from './SeriesCard.module.css';

const steps = ['day', 'hour'] as const;
const measures = ['consumed', 'impressions', 'clicks', 'conversions', 'revenue'] as const;
type Measure = (typeof measures)[number];

/** The plan's figures by day, and by hour of a day. */
export function SeriesCard({ plan }: { plan: PlanDetail }) {
  const { t } = useTranslation();
  const [step, setStep] = useState<(typeof steps)[number]>('day');
  const [within, setWithin] = useState<string | null>(null);
  const series = usePlanSeries(plan, step, step === 'hour' ? within : null);
  const points = series.data?.points;
  if (series.isPending && step === 'day') return <CardSkeleton lines={5} />;
  if (step === 'day' && points?.length === 0) return null;
  return (
    <Card title={t('plans.series.title')}>
      <Tabs
        label={t('plans.series.steps')}
        tabs={steps.map((key) => ({ key, label: t(`plans.series.${key}`) }))}
        value={step}
        onChange={(key) => {
          setStep(key);
          setWithin(null);
        }}
      >
        {!points && <Unanswered of={series} meanwhile={<Skeleton height="12rem" />} />}
        {points && (
          <Points
            plan={plan}
            points={points}
            byHour={step === 'hour'}
            onHours={(at) => {
              setStep('hour');
              setWithin(at);
            }}
          />
        )}
      </Tabs>
    </Card>
  );
}

type Props = {
  plan: PlanDetail;
  points: PlanPoint[];
  byHour: boolean;
  onHours: (at: string) => void;
};

function Points({ plan, points, byHour, onHours }: Props) {
  const { t } = useTranslation();
  const [measure, setMeasure] = useState<Measure>('consumed');
  const [opened, setOpened] = useState<string | null>(null);
  const nameOf = ({ at, until }: PlanPoint) =>
    byHour ? `${formatShortTime(at)} – ${formatShortTime(until)}` : formatDate(at);
  const name = t(`plans.${measure}`);
  const label = t('adCenter.chart', { measure: name });
  const point = points.find(({ at }) => at === opened);
  const bars = points.map((one) => ({
    key: one.at,
    label: byHour ? formatShortTime(one.at) : formatShortDate(one.at),
    name: nameOf(one),
    values: [toPlot(String(one[measure]))],
    texts: [formatFigure(one[measure])],
  }));
  return (
    <div className={styles.points}>
      {byHour && points[0] && <p className={styles.day}>{formatDate(points[0].at, 'full')}</p>}
      <Tabs
        label={t('adCenter.measure')}
        tabs={measures.map((key) => ({ key, label: t(`plans.${key}`) }))}
        value={measure}
        onChange={setMeasure}
        variant="pills"
      >
        <BarChart
          label={label}
          series={[{ label: name, tone: 'accent' }]}
          bars={bars}
          selected={opened}
          onSelect={setOpened}
        />
      </Tabs>
      <ChartTable caption={label} columns={[t('adCenter.time'), name]} rows={bars} />
      {point && (
        <PointSheet
          plan={plan}
          point={point}
          name={nameOf(point)}
          onHours={byHour ? null : () => onHours(point.at)}
          onClose={() => setOpened(null)}
        />
      )}
    </div>
  );
}
