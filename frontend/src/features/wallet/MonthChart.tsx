import { useTranslation } from 'react-i18next';
import type { Currency } from '@/api/types';
import { formatMoney, formatShortMonth } from '@/i18n/format';
import { BarChart } from '@/ui/BarChart';
import { toPlot } from '@/ui/decimal';
import { knownMonths } from './months';
import { useFlow } from './queries';

const monthsDrawn = 6;

type Props = { currency: Currency; selected: string | null; onSelect: (month: string) => void };

/** Income beside expense for the last months; a press shows that month alone. */
export function MonthChart({ currency, selected, onSelect }: Props) {
  const { t } = useTranslation();
  // Whatever the list is filtered by, the picture stays the whole one.
  const months = knownMonths(useFlow({ month: null, kind: null }).data?.pages ?? [], monthsDrawn);
  if (!months.length) return null;
  return (
    <BarChart
      label={t('wallet.chart')}
      series={[
        { label: t('wallet.income'), tone: 'accent' },
        { label: t('wallet.expense'), tone: 'muted' },
      ]}
      bars={months.map(({ month, income, expense }) => ({
        key: month,
        label: formatShortMonth(month),
        values: [toPlot(income), toPlot(expense)],
        text: t('wallet.chartMonth', {
          income: formatMoney(income, currency),
          expense: formatMoney(expense, currency),
        }),
      }))}
      selected={selected}
      onSelect={onSelect}
    />
  );
}
