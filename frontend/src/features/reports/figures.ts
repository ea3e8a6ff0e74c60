import type { TFunction } from 'i18next';
import type { ReportBy, ReportFigures, ReportRow } from '@/api/types';
import { formatCount, formatMoney, formatReturn, formatUtcDay, nameOf } from '@/i18n/format';
import { bcp47 } from '@/i18n/languages';
import { currentLanguage } from '@/i18n/texts';
import { compareDecimals } from '@/ui/money/decimal';
import { type ResultSign, signOf } from '@/ui/money/result-sign';
import type { Measure, Sorting } from './report-choice';

export function measureName(measure: Measure, t: TFunction): string {
  switch (measure) {
    case 'profit':
    case 'consumed':
    case 'revenue':
      return t(`adCenter.figures.${measure}`);
    case 'return_on_spend':
      return t('plans.roi');
    default:
      return t(`plans.${measure}`);
  }
}

/** A dash where nothing was used, so that there is no return on it. */
export function figureText(measure: Measure, figures: ReportFigures): string {
  if (measure === 'return_on_spend') return formatReturn(figures[measure]);
  const value = figures[measure];
  if (typeof value === 'number') return formatCount(value);
  return formatMoney(value, { sign: measure === 'profit' });
}

/** The sign that colours a measure that can be a gain or a loss. */
export function signIn(measure: Measure, figures: ReportFigures): ResultSign | undefined {
  const value = measure === 'profit' || measure === 'return_on_spend' ? figures[measure] : null;
  return value === null ? undefined : signOf(value);
}

export function rowName(by: ReportBy, row: ReportRow): string {
  if (by === 'day') return formatUtcDay(row.key);
  if (by !== 'region' || !/^[A-Z]{2}$/.test(row.key)) return row.name;
  return nameOf('region', row.key);
}

/** Rows without a name of their own come last in every order. */
const nameless = ['others', 'unknown'];

export function sorted(
  rows: readonly ReportRow[],
  by: ReportBy,
  measure: Measure,
  { column, order }: Sorting,
): ReportRow[] {
  const names = new Intl.Collator(bcp47(currentLanguage()), { numeric: true });
  // A missing value counts as less than any other.
  const of = (figures: ReportFigures) => figures[measure];
  const compareFigures = (a: string | number | null, b: string | number | null) => {
    if (a === null || b === null) return Number(b === null) - Number(a === null);
    return compareDecimals(String(a), String(b));
  };
  const compare = (a: ReportRow, b: ReportRow) => {
    if (column === 'now') return compareFigures(of(a), of(b));
    if (column === 'before') return compareFigures(of(a.before), of(b.before));
    return by === 'day'
      ? names.compare(a.key, b.key)
      : names.compare(rowName(by, a), rowName(by, b));
  };
  const last = (row: ReportRow) => nameless.indexOf(row.key);
  const turned = order === 'asc' ? 1 : -1;
  return [...rows].sort((a, b) => {
    const apart = Math.sign(last(a) + 1) - Math.sign(last(b) + 1);
    return apart || turned * compare(a, b);
  });
}

/** Days in the order of time; of anything else, what has most first. */
export function usualSorting(by: ReportBy): Sorting {
  return by === 'day' ? { column: 'name', order: 'asc' } : { column: 'now', order: 'desc' };
}
