import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { serverNow } from '@/api/server-clock';
import type { Currency, PublisherCounts, PublisherFigures } from '@/api/types';
import {
  formatCount,
  formatMoney,
  formatPercent,
  formatShortUtcDay,
  formatUtcDay,
} from '@/i18n/format';
import frame from '@/shared/link/LinkPage.module.css';
import { billedBy } from '@/shared/terms/billed-by';
import { BarChart } from '@/ui/charts/BarChart';
import { ChartTable } from '@/ui/charts/ChartTable';
import { Tabs } from '@/ui/controls/Tabs';
import { Card } from '@/ui/display/Card';
import { Facts } from '@/ui/display/Facts';
import { Skeleton } from '@/ui/feedback/Skeleton';
import { Unanswered } from '@/ui/feedback/Unanswered';
import { SelectField } from '@/ui/form/SelectField';
import { toPlot } from '@/ui/money/decimal';
import styles from './PublisherPage.module.css';
import { type Period, usePublisherFigures, usePublisherSlots } from './queries';

const spans = { last7: 7, last30: 30, last90: 90 } as const;
type Span = keyof typeof spans;
const measures = ['earned', 'impressions', 'viewable', 'clicks', 'requests'] as const;
type Measure = (typeof measures)[number];
const all = '';
const day = 86_400_000;

function periodOf(span: Span, slot: string): Period {
  const now = serverNow();
  const at = (back: number) => new Date(now - back * day).toISOString().slice(0, 10);
  return { from: at(spans[span] - 1), until: at(0), slot: slot || null };
}

type Props = { link: string; currency: Currency };

/** The views and earnings of the slots, by day and by slot. */
export function FiguresCard({ link, currency }: Props) {
  const { t } = useTranslation();
  const [span, setSpan] = useState<Span>('last30');
  const [slot, setSlot] = useState(all);
  const figures = usePublisherFigures(link, periodOf(span, slot));
  const slots = usePublisherSlots(link).data?.items ?? [];
  return (
    <Card title={t('publisher.figures')}>
      <Tabs
        label={t('publisher.period')}
        tabs={(Object.keys(spans) as Span[]).map((key) => ({ key, label: t(`publisher.${key}`) }))}
        value={span}
        onChange={setSpan}
      >
        <div className={frame.stack}>
          {slots.length > 1 && (
            <SelectField
              label={t('plans.events.slot')}
              value={slot}
              options={[
                { value: all, label: t('publisher.allSlots') },
                ...slots.map(({ key }) => ({ value: key, label: key })),
              ]}
              onChange={setSlot}
            />
          )}
          {figures.data ? (
            <Figures figures={figures.data} currency={currency} />
          ) : (
            <Unanswered of={figures} meanwhile={<Skeleton height="12em" />} />
          )}
        </div>
      </Tabs>
    </Card>
  );
}

function Figures({ figures, currency }: { figures: PublisherFigures; currency: Currency }) {
  const { t } = useTranslation();
  const [measure, setMeasure] = useState<Measure>('earned');
  const [read, setRead] = useState<string | null>(null);
  const names: Record<Measure, string> = {
    earned: t('publisher.earned'),
    impressions: t('plans.impressions'),
    viewable: t('plans.viewable'),
    clicks: t('plans.clicks'),
    requests: t('publisher.requests'),
  };
  const text = (counts: PublisherCounts) =>
    measure === 'earned' ? formatMoney(counts.earned, { currency }) : formatCount(counts[measure]);
  const { totals } = figures;
  const label = t('adCenter.chart', { measure: names[measure] });
  const bars = figures.days.map((one) => ({
    key: one.day,
    label: formatShortUtcDay(one.day),
    name: formatUtcDay(one.day),
    values: [toPlot(String(one[measure]))],
    texts: [text(one)],
  }));
  return (
    <>
      <Facts
        facts={[
          { label: names.earned, value: formatMoney(totals.earned, { currency }) },
          {
            label: names.requests,
            value: formatCount(totals.requests),
            hint: t('publisher.requestsHint'),
          },
          {
            label: t('publisher.fillRate'),
            value: formatPercent(totals.fill_rate),
            hint: t('publisher.fillHint'),
          },
          { label: names.impressions, value: formatCount(totals.impressions) },
          {
            label: t('plans.ratios.viewable'),
            value: formatPercent(totals.viewable_rate),
            hint: t('plans.ratios.viewableHint'),
          },
          { label: names.clicks, value: formatCount(totals.clicks) },
          { label: t('plans.filtered'), value: formatCount(totals.filtered) },
        ]}
      />
      <Tabs
        label={t('adCenter.measure')}
        tabs={measures.map((key) => ({ key, label: names[key] }))}
        value={measure}
        onChange={setMeasure}
        variant="pills"
      >
        <BarChart
          label={label}
          series={[{ label: names[measure], tone: 'accent' }]}
          bars={bars}
          selected={read}
          onSelect={setRead}
        />
      </Tabs>
      <ChartTable caption={label} columns={[t('adCenter.time'), names[measure]]} rows={bars} />
      {figures.slots.length > 0 && (
        <section className={styles.slots}>
          <h3 className={styles.subtitle}>{t('publisher.bySlot')}</h3>
          <table className={styles.table}>
            <caption className="visually-hidden">{t('publisher.bySlot')}</caption>
            <thead>
              <tr>
                <th scope="col">{t('plans.events.slot')}</th>
                <th scope="col">{names[measure]}</th>
                <th scope="col">{t('publisher.fillRate')}</th>
              </tr>
            </thead>
            <tbody>
              {figures.slots.map((one) => (
                <tr key={one.key}>
                  <th scope="row">{one.key}</th>
                  <td>{text(one)}</td>
                  <td>{formatPercent(one.fill_rate)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      <p className={frame.muted}>{t('publisher.utc', { time: billedBy() })}</p>
    </>
  );
}
