import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Statistics } from '@/api/types';
import { formatCount, formatMoney, formatTime } from '@/i18n/format';
import { TermHelp } from '@/shared/terms/TermHelp';
import { Link } from '@/ui/controls/Link';
import { Tabs } from '@/ui/controls/Tabs';
import { Card } from '@/ui/display/Card';
import { EmptyState } from '@/ui/feedback/EmptyState';
import { Skeleton } from '@/ui/feedback/Skeleton';
import { Unanswered } from '@/ui/feedback/Unanswered';
import { FiguresPicture } from '@/ui/illustrations/FiguresPicture';
import { longest } from '@/ui/longest';
import { CountUp } from '@/ui/money/CountUp';
import { isPositive } from '@/ui/money/decimal';
import { changeOf } from './change';
import { SeriesChart } from './chart/SeriesChart';
import { ExplainButton } from './ExplainButton';
import styles from './Overview.module.css';
import { type Period, periods, useStatistics } from './queries';

export function Overview() {
  const { t } = useTranslation();
  const [period, setPeriod] = useState<Period>('today');
  const [explained, setExplained] = useState(false);
  const statistics = useStatistics(period);
  const { data, isError, isPlaceholderData } = statistics;
  const tabs = (Object.keys(periods) as Period[]).map((key) => ({
    key,
    label: t(`adCenter.periods.${key}`),
  }));
  return (
    <Card
      title={t('adCenter.overview')}
      className={styles.card}
      aside={
        <span className={styles.aside}>
          <Link className={styles.report} to="/report">
            {t('app.title.report')}
          </Link>
          <ExplainButton explained={explained} onChange={setExplained} />
        </span>
      }
    >
      <Tabs label={t('adCenter.period')} tabs={tabs} value={period} onChange={setPeriod}>
        <div className={styles.panel}>
          {!data && <Unanswered of={statistics} meanwhile={<FiguresSkeleton />} />}
          {data && (
            <Figures
              data={data}
              period={period}
              explained={explained}
              // Until another period's figures are there, those of the previous period are shown.
              of={isPlaceholderData ? 'before' : period}
              stale={isError}
              onHours={() => setPeriod('today')}
            />
          )}
        </div>
      </Tabs>
    </Card>
  );
}

type FiguresProps = {
  data: Statistics;
  period: Period;
  /** Whether each figure says what it means. */
  explained: boolean;
  /** Identifies the figures: only figures of the same kind count from one value to the next. */
  of: string;
  stale: boolean;
  onHours: () => void;
};

function Figures({ data, period, explained, of, stale, onHours }: FiguresProps) {
  const { t } = useTranslation();
  const before = data.previous;
  const change = (name: keyof NonNullable<typeof before> & keyof Statistics) =>
    changeOf(String(data[name]), before ? String(before[name]) : undefined);
  const figures = [
    ['revenue', data.revenue, formatMoney, change('revenue')],
    ['profit', data.profit, signed, null],
    ['consumed', data.consumed, formatMoney, change('consumed')],
    ['invested', data.invested, formatMoney, change('invested')],
    ['to_be_consumed', data.to_be_consumed, formatMoney, null],
    ['impressions', data.impressions, counted, change('impressions')],
    ['clicks', data.clicks, counted, change('clicks')],
    ['orders', data.orders, counted, change('orders')],
  ] as const;
  const compared = figures.some(([, , , change]) => change);
  const time = formatTime(data.updated_at);
  const quiet = data.impressions === 0 && data.clicks === 0 && data.orders === 0;
  const figure = ([name, value, format, change]: (typeof figures)[number]) => (
    <div key={name} className={styles.figure}>
      <dt>
        {t(`adCenter.figures.${name}`)}
        {name === 'consumed' && <TermHelp term="consumed" amount={data.consumed} />}
        {name === 'to_be_consumed' && <TermHelp term="toBeConsumed" amount={data.to_be_consumed} />}
      </dt>
      <dd>
        <CountUp value={String(value)} format={format} of={of} />
        {change && <span className={styles.change}> {change}</span>}
      </dd>
      {name === 'profit' && (
        <dd className={styles.about}>
          <span className={styles.part}>
            {t('adCenter.settledPart', { amount: signed(data.settled_profit) })}
          </span>
          {data.corrected && <span className={styles.part}>{t('adCenter.corrected')}</span>}
        </dd>
      )}
      {explained && <dd className={styles.about}>{t(`adCenter.figureAbout.${name}`)}</dd>}
    </div>
  );
  return (
    <>
      <dl
        className={styles.figures}
        style={longest(figures.map(([, value, format]) => format(String(value))))}
      >
        {figures.map(figure)}
        <Others data={data} />
      </dl>
      <p className={styles.as}>
        {compared && period !== 'all' && <span>{t(`adCenter.against.${period}`)}</span>}
        <span data-stale={stale}>
          {stale ? t('adCenter.stale', { time }) : t('adCenter.updated', { time })}
        </span>
      </p>
      {quiet && (
        <EmptyState
          picture={<FiguresPicture />}
          title={t('adCenter.emptyTitle')}
          description={t('adCenter.emptyText')}
        />
      )}
      {!quiet && data.series.length > 0 && (
        <SeriesChart data={data} period={period} onHours={onHours} />
      )}
    </>
  );
}

/** Figures that not every user has: bills to come, and what coupons and credit paid. */
function Others({ data }: { data: Statistics }) {
  const { t } = useTranslation();
  const amounts = ['unbilled', 'platform_paid'] as const;
  return amounts
    .filter((name) => isPositive(data[name]))
    .map((name) => (
      <div key={name} className={styles.other}>
        <dt>{t(`adCenter.figures.${name}`)}</dt>
        <dd>{formatMoney(data[name])}</dd>
      </div>
    ));
}

const counted = (count: string) => formatCount(Number(count));

/** A result is written with its sign everywhere. */
const signed = (amount: string) => formatMoney(amount, { sign: true });

/** A placeholder as high as the figures and the chart, so that nothing below moves. */
function FiguresSkeleton() {
  const { t } = useTranslation();
  return (
    <div role="status" className={styles.loading}>
      <span className="visually-hidden">{t('ui.loading')}</span>
      <Skeleton height="12rem" />
      <Skeleton height="16rem" />
    </div>
  );
}
