import { useTranslation } from 'react-i18next';
import type { Currency } from '@/api/types';
import { formatMoney, formatMonth, formatShortMonth } from '@/i18n/format';
import { BarChart } from '@/ui/charts/BarChart';
import { ChartTable } from '@/ui/charts/ChartTable';
import { toPlot } from '@/ui/money/decimal';
import { useFlow } from '../queries';
import { everyLine } from './filters/flow-filter';
import { knownMonths } from './filters/months';

const monthsDrawn = 6;

type Props = { currency: Currency; selected: string | null; onSelect: (month: string) => void };

/** Income and expense of the last months; a press shows the lines of one month. */
export function MonthChart({ currency, selected, onSelect }: Props) {
  const { t } = useTranslation();
  // The chart is not affected by the list's filter.
  const months = knownMonths(useFlow(everyLine).data?.pages ?? [], monthsDrawn);
  if (!months.length) return null;
  const label = t('wallet.chart');
  const figures = months.map(({ month, income, expense }) => ({
    month,
    values: [toPlot(income), toPlot(expense)],
    texts: [formatMoney(income, currency), formatMoney(expense, currency)],
  }));
  return (
    <>
      <BarChart
        label={label}
        series={[
          { label: t('wallet.income'), tone: 'accent' },
          { label: t('wallet.expense'), tone: 'muted' },
        ]}
        bars={figures.map(({ month, ...rest }) => ({
          key: month,
          label: formatShortMonth(month),
          name: formatMonth(month),
          ...rest,
        }))}
        selected={selected}
        onSelect={onSelect}
      />
      <ChartTable
        caption={label}
        columns={[t('wallet.month'), t('wallet.income'), t('wallet.expense')]}
        rows={figures.map(({ month, texts }) => ({
          key: month,
          cells: [formatMonth(month), ...texts],
        }))}
      />
    </>
  );
}
