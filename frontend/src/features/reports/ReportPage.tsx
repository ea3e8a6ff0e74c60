import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { downloadFile } from '@/api/download';
import { serverDate } from '@/api/server-clock';
import type { Report } from '@/api/types';
import { formatMoney, formatRange, formatUtcDay } from '@/i18n/format';
import { useAddressChoice } from '@/shared/navigation/use-address-choice';
import { Refreshable } from '@/shared/page/Refreshable';
import { Button } from '@/ui/controls/Button';
import { FilterRow } from '@/ui/controls/FilterRow';
import { Tabs } from '@/ui/controls/Tabs';
import { Card } from '@/ui/display/Card';
import { CardSkeletons } from '@/ui/feedback/CardSkeleton';
import { EmptyState } from '@/ui/feedback/EmptyState';
import { Notice } from '@/ui/feedback/Notice';
import { showToast } from '@/ui/feedback/toast-store';
import { Unanswered } from '@/ui/feedback/Unanswered';
import { FiguresPicture } from '@/ui/illustrations/FiguresPicture';
import { longest } from '@/ui/longest';
import { isPositive } from '@/ui/money/decimal';
import { DaysChoice } from './DaysChoice';
import { figureText, measureName, signIn } from './figures';
import { askedFor, reportQuery } from './queries';
import { ReportChart } from './ReportChart';
import styles from './ReportPage.module.css';
import { ReportTable } from './ReportTable';
import {
  addressOf,
  kinds,
  measures,
  type ReportChoice,
  rangeOfDays,
  reportChoiceOf,
} from './report-choice';

/**
 * The results of any days, by day, plan, site or another dimension, compared with as many days
 * before.
 */
export function ReportPage() {
  const { t } = useTranslation();
  const [choice, change] = useAddressChoice(reportChoiceOf, addressOf);
  const asked = useQuery({ ...reportQuery(choice), placeholderData: keepPreviousData });
  const { data, isPlaceholderData } = asked;
  const meanwhile = <CardSkeletons lines={[2, 4]} className={styles.loading} />;
  return (
    <Refreshable>
      <div className={styles.page}>
        <Card>
          <div className={styles.choices}>
            <DaysChoice days={choice.days} onChange={(days) => change({ days })} />
            <FilterRow
              scrolls
              legend={t('reports.by')}
              options={kinds.map((value) => ({ value, label: t(`reports.kinds.${value}`) }))}
              value={choice.by}
              onChange={(by) => change({ by, sorting: null })}
            />
          </div>
          <SaveButtons choice={choice} />
        </Card>
        {data ? (
          <div className={styles.report} data-old={isPlaceholderData}>
            <TotalsCard report={data} />
            <Rows report={data} choice={choice} onChange={change} />
          </div>
        ) : (
          <Unanswered of={asked} meanwhile={meanwhile} />
        )}
      </div>
    </Refreshable>
  );
}

type RowsProps = {
  report: Report;
  choice: ReportChoice;
  onChange: (part: Partial<ReportChoice>) => void;
};

function Rows({ report, choice, onChange }: RowsProps) {
  const { t } = useTranslation();
  const { measure } = choice;
  if (isQuiet(report)) {
    return (
      <Card>
        <EmptyState
          picture={<FiguresPicture />}
          title={t('adCenter.emptyTitle')}
          description={t('reports.emptyHint')}
        />
      </Card>
    );
  }
  return (
    <Card title={t(`reports.kinds.${report.by}`)}>
      <Tabs
        label={t('reports.measure')}
        tabs={measures.map((key) => ({ key, label: measureName(key, t) }))}
        value={measure}
        onChange={(next) => onChange({ measure: next })}
        variant="pills"
      >
        <div className={styles.rows}>
          {report.by === 'day' && report.rows.length > 1 && (
            <ReportChart report={report} measure={measure} />
          )}
          <ReportTable
            report={report}
            choice={choice}
            onSort={(sorting) => onChange({ sorting })}
          />
        </div>
      </Tabs>
    </Card>
  );
}

/** Whether nothing happened, then or before. */
function isQuiet({ totals, before }: Report): boolean {
  return [totals, before].every(
    ({ impressions, clicks, conversions }) => impressions + clicks + conversions === 0,
  );
}

/** The sums of all days, each with the sum of as many days before. */
function TotalsCard({ report }: { report: Report }) {
  const { t } = useTranslation();
  const { totals, before } = report;
  const between = (from: string, to: string) => formatRange(formatUtcDay(from), formatUtcDay(to));
  return (
    <Card title={between(report.from, report.to)}>
      <p className={styles.against}>
        {t('reports.against', { days: between(report.before_from, report.before_to) })}
      </p>
      <dl
        className={styles.figures}
        style={longest(measures.map((measure) => figureText(measure, totals)))}
      >
        {measures.map((measure) => (
          <div key={measure} className={styles.figure}>
            <dt>{measureName(measure, t)}</dt>
            <dd data-sign={signIn(measure, totals)}>{figureText(measure, totals)}</dd>
            <dd className={styles.before}>
              {t('adCenter.before')} {figureText(measure, before)}
            </dd>
          </div>
        ))}
        {(isPositive(totals.platform_paid) || isPositive(before.platform_paid)) && (
          <div className={styles.figure}>
            <dt>{t('adCenter.figures.platform_paid')}</dt>
            <dd>{formatMoney(totals.platform_paid)}</dd>
            <dd className={styles.before}>
              {t('adCenter.before')} {formatMoney(before.platform_paid)}
            </dd>
          </div>
        )}
      </dl>
    </Card>
  );
}

const formats = ['pdf', 'csv'] as const;
type Format = (typeof formats)[number];

/** The report as a file, in the reader's language. */
function SaveButtons({ choice }: { choice: ReportChoice }) {
  const { t } = useTranslation();
  const [running, setRunning] = useState<Format | null>(null);
  const [failed, setFailed] = useState(false);
  const request = useRef<AbortController | null>(null);
  // Leaving the page cancels the download.
  useEffect(() => () => request.current?.abort(), []);

  const save = async (format: Format) => {
    request.current = new AbortController();
    const { signal } = request.current;
    setRunning(format);
    setFailed(false);
    try {
      const asked = askedFor(rangeOfDays(choice.days, serverDate()), choice.by);
      await downloadFile('/report', { query: { ...asked, format }, signal });
      showToast(t('reports.saved'), 'success');
    } catch {
      setFailed(!signal.aborted);
    }
    setRunning(null);
  };
  return (
    <>
      <div className={styles.buttons}>
        {formats.map((format) => (
          <Button
            key={format}
            size="small"
            variant="secondary"
            icon="download"
            aria-label={t('reports.saveAs', { format: format.toUpperCase() })}
            loading={running === format}
            disabled={running !== null && running !== format}
            onClick={() => void save(format)}
          >
            {format.toUpperCase()}
          </Button>
        ))}
      </div>
      {failed && (
        <Notice tone="negative" urgent>
          {t('reports.failed')}
        </Notice>
      )}
    </>
  );
}
