import type { TFunction } from 'i18next';
import type { ListedPlan } from '@/api/types';
import { feeOf } from '../plan-status';

/** A text, or the decimals of a figure. */
type Cell = { text: string } | { figure: string | null };

/**
 * One line for each plan, for a spreadsheet. Profit is the revenue less the fee and the user's own
 * part of what was consumed, so each line adds up.
 */
export function plansCsv(plans: readonly ListedPlan[], t: TFunction): string {
  const head = [
    t('plans.selection.number'),
    t('plans.filter.product'),
    t('plans.statuses'),
    t('plans.budget'),
    t('plans.consumed'),
    t('adCenter.figures.platform_paid'),
    t('plans.conversions'),
    t('plans.revenue'),
    t('plans.feeRate'),
    t('adCenter.figures.profit'),
    t('plans.roi'),
  ];
  const rows = plans.map((plan): Cell[] => [
    { text: plan.plan_no },
    { text: plan.product.name },
    { text: plan.paused ? t('plans.paused') : t(`plans.status.${plan.status}`) },
    { figure: plan.put_amount },
    { figure: plan.consumed },
    { figure: plan.platform_paid },
    { figure: String(plan.conversions) },
    { figure: plan.revenue },
    { figure: feeOf(plan) },
    { figure: plan.profit },
    { figure: plan.return_on_spend },
  ]);
  return csv([head.map((text) => ({ text })), ...rows]);
}

/** CSV (RFC 4180), with a byte order mark by which spreadsheets recognize UTF-8. */
export function csv(rows: readonly (readonly Cell[])[]): string {
  const lines = rows.map((cells) => `${cells.map(written).join(',')}\r\n`);
  return `\uFEFF${lines.join('')}`;
}

function written(cell: Cell): string {
  if ('figure' in cell) return cell.figure ?? '';
  // Soft hyphens are only for the page.
  const plain = cell.text.replaceAll('\u00ad', '');
  const text = neverCalculated(plain);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Puts an apostrophe before whatever a spreadsheet would take for a formula: at the beginning of the text, and after
 * characters that begin a cell for programs that do not separate at commas. The server's files have the same.
 */
function neverCalculated(text: string): string {
  return text
    .replace(/^[\t\r\n]/, "'$&")
    .replace(/(^|[;\t\r\n])([ "]*)(?=[=+\-@＝＋－＠])/g, "$1$2'");
}
