import type { TFunction } from 'i18next';
import type { Compared } from '@/api/types';
import { formatCount, formatMoney, formatPercent, formatReturn, noFigure } from '@/i18n/format';
import { compareDecimals, isPositive } from '@/ui/money/decimal';
import { type ResultSign, signOf } from '@/ui/money/result-sign';
import { costText } from '../cost-text';

/** A figure of a plan or product. */
export type Cell = {
  text: string;
  sign: ResultSign | null;
  /** Whether no figure of the row is better, and at least one is worse. */
  best: boolean;
};

export type FigureRow = { key: string; label: string; cells: readonly Cell[] };

type Better = 'more' | 'less';

type Figure = {
  key: string;
  label: string;
  /** A decimal; null where there is nothing to divide by. */
  of: (compared: Compared) => string | null;
  text: (value: string) => string;
  /** Whether more or less is better; undefined for figures that are neither good nor bad. */
  better?: Better;
  /** The amount whose sign colours the figure. */
  sign?: (compared: Compared) => string;
};

const count = (value: string) => formatCount(Number(value));
const withSign = (value: string) => formatMoney(value, { sign: true });
const profit = ({ ratios }: Compared) => ratios.profit;
const returned = ({ ratios }: Compared) => ratios.return_on_spend;

/** The figures side by side, what matters first. */
export function figureRows(items: readonly Compared[], t: TFunction): FigureRow[] {
  const ofPlans = items.every(({ plan }) => plan !== null);
  const rows = figures(t).filter(({ key }) => key !== 'plans' || !ofPlans);
  return rows.map((figure) => ({
    key: figure.key,
    label: figure.label,
    cells: cellsOf(figure, items),
  }));
}

function cellsOf({ of, text, better, sign }: Figure, items: readonly Compared[]): Cell[] {
  const best = better ? bestOf(items.filter(hasRun).map(of), better) : null;
  return items.map((item) => {
    const value = of(item);
    return {
      text: value === null ? noFigure : text(value),
      sign: sign && hasRun(item) ? signOf(sign(item)) : null,
      best: hasRun(item) && value !== null && best !== null && compareDecimals(value, best) === 0,
    };
  });
}

/**
 * Whether anything was spent. Otherwise nothing was lost either, and the result is neither better
 * than others nor even.
 */
function hasRun({ delivery }: Compared): boolean {
  return isPositive(delivery.consumed);
}

/** Null where all are the same, or there is only one. */
function bestOf(values: readonly (string | null)[], better: Better): string | null {
  const known = values.filter((value) => value !== null);
  const sorted = [...known].sort(compareDecimals);
  const [least, most] = [sorted.at(0), sorted.at(-1)];
  if (least === undefined || most === undefined || compareDecimals(least, most) === 0) return null;
  return better === 'more' ? most : least;
}

function figures(t: TFunction): Figure[] {
  const counted = (key: 'impressions' | 'clicks' | 'conversions', better?: Better): Figure => ({
    key,
    label: t(`plans.${key}`),
    of: ({ delivery }) => String(delivery[key]),
    text: count,
    better,
  });
  const amount = (key: 'consumed' | 'revenue', better?: Better): Figure => ({
    key,
    label: t(`plans.${key}`),
    of: ({ delivery }) => delivery[key],
    text: formatMoney,
    better,
  });
  const signed = { better: 'more', sign: profit } as const;
  return [
    { key: 'profit', label: t('adCenter.figures.profit'), of: profit, text: withSign, ...signed },
    { key: 'roi', label: t('plans.roi'), of: returned, text: formatReturn, ...signed },
    { key: 'plans', label: t('app.title.plans'), of: ({ plans }) => String(plans), text: count },
    amount('consumed'),
    amount('revenue', 'more'),
    counted('conversions', 'more'),
    {
      key: 'perConversion',
      label: t('plans.ratios.perConversion'),
      of: ({ ratios }) => ratios.cost_per_conversion,
      text: costText,
      better: 'less',
    },
    counted('clicks'),
    {
      key: 'clickRate',
      label: t('plans.ratios.clickRate'),
      of: ({ ratios }) => ratios.click_rate,
      text: formatPercent,
      better: 'more',
    },
    {
      key: 'perClick',
      label: t('plans.ratios.perClick'),
      of: ({ ratios }) => ratios.cost_per_click,
      text: costText,
      better: 'less',
    },
    counted('impressions'),
  ];
}
