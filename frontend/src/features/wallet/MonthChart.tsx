import { useTranslation } from 'react-i18next';
import type { Currency } from '@/api/types';
import { formatMoney } from '@/i18n/format';
import { bcp47 } from '@/i18n/languages';
import { currentLanguage } from '@/i18n/texts';
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
  const short = new Intl.DateTimeFormat(bcp47(currentLanguage()), {
    month: 'short',
    timeZone: 'UTC',
    calendar: 'gregory',
  });
  return (
    <BarChart
      label={t('wallet.chart')}
      series={[
        { label: t('wallet.income'), tone: 'accent' },
        { label: t('wallet.expense'), tone: 'muted' },
      ]}
      bars={months.map(({ month, income, expense }) => ({
        key: month,
        label: short.format(new Date(`${month}-01T00:00:00Z`)),
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
