import { useTranslation } from 'react-i18next';
import type { Report } from '@/api/types';
import { formatMoney, formatRange, formatUtcDay } from '@/i18n/format';
import { Card } from '@/ui/display/Card';
import { isPositive } from '@/ui/money/decimal';
import { figureText, measureName, signIn } from './figures';
import { measures } from './report-choice';
import styles from './TotalsCard.module.css';

/** All of the days together, each figure with what it was in as many days before. */
export function TotalsCard({ report }: { report: Report }) {
  const { t } = useTranslation();
  const { totals, before } = report;
  const between = (from: string, to: string) => formatRange(formatUtcDay(from), formatUtcDay(to));
  return (
    <Card title={between(report.from, report.to)}>
      <p className={styles.against}>
        {t('reports.against', { days: between(report.before_from, report.before_to) })}
      </p>
      <dl className={styles.figures}>
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
