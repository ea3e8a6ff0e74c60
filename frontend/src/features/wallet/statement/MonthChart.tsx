import { useTranslation } from 'react-i18next';
import type { FlowMonth } from '@/api/types';
import { formatMoney, formatMonth, formatShortMonth } from '@/i18n/format';
import { BarChart } from '@/ui/charts/BarChart';
import { ChartTable } from '@/ui/charts/ChartTable';
import { isPositive, toPlot } from '@/ui/money/decimal';
import styles from './MonthSum.module.css';

type Props = {
  /** Newest first. */
  months: readonly FlowMonth[];
  selected: string | null;
  onSelect: (month: string) => void;
};

/** Income and expense of the last months without refunds; a press shows the rows of one month. */
export function MonthChart({ months, selected, onSelect }: Props) {
  const { t } = useTranslation();
  const label = t('wallet.chart');
  const bars = [...months].reverse().map(({ month, net_income, net_expense }) => ({
    key: month,
    label: formatShortMonth(month),
    name: formatMonth(month),
    // Refunds may exceed the expense of a month, but a bar cannot be negative.
    values: [toPlot(net_income), Math.max(toPlot(net_expense), 0)],
    texts: [formatMoney(net_income), formatMoney(net_expense)],
  }));
  return (
    <>
      <BarChart
        label={label}
        series={[
          { label: t('wallet.income'), tone: 'accent' },
          { label: t('wallet.expense'), tone: 'muted' },
        ]}
        bars={bars}
        selected={selected}
        onSelect={onSelect}
      />
      {months.some(({ refunds }) => isPositive(refunds)) && (
        <p className={styles.refunds}>{t('wallet.netHint')}</p>
      )}
      <ChartTable
        caption={label}
        columns={[t('wallet.month'), t('wallet.income'), t('wallet.expense')]}
        rows={bars}
      />
    </>
  );
}
