import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Report, ReportRow } from '@/api/types';
import { type Place, planPath } from '@/pages';
import { ExcludeButton, IncludeButton } from '@/shared/exclusions/ExcludeButton';
import { SiteName } from '@/shared/exclusions/SiteName';
import type { Placement } from '@/shared/exclusions/use-exclusion';
import { Link } from '@/ui/controls/Link';
import { figureText, measureName, rowName, signIn, sorted, usualSorting } from './figures';
import styles from './ReportTable.module.css';
import { type Column, columns, type ReportChoice, reportPath, type Sorting } from './report-choice';

type Props = { report: Report; choice: ReportChoice; onSort: (sorting: Sorting) => void };

/** A figure of each row, now and before, sorted by what is pressed above it. */
export function ReportTable({ report, choice, onSort }: Props) {
  const { t } = useTranslation();
  const { by, rows } = report;
  const { measure } = choice;
  const sorting = choice.sorting ?? usualSorting(by);
  const name = measureName(measure, t);
  const head = { name: t(`reports.kinds.${by}`), now: name, before: t('adCenter.before') };
  const press = (column: Column) => {
    const first = column === 'name' ? 'asc' : 'desc';
    const other = first === 'asc' ? 'desc' : 'asc';
    const again = sorting.column === column && sorting.order === first;
    onSort({ column, order: again ? other : first });
  };
  return (
    <div className={styles.scroll}>
      <table className={styles.table}>
        <caption className="visually-hidden">
          {head.name}: {name}
        </caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col" aria-sort={sortOf(sorting, column)}>
                <button type="button" onClick={() => press(column)}>
                  {head[column]}
                  <span aria-hidden="true">{arrowOf(sorting, column)}</span>
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted(rows, by, measure, sorting).map((row) => (
            <tr key={row.key}>
              <th scope="row">
                <Name row={row} choice={choice} by={by} />
                <Detail row={row} by={by} />
              </th>
              <td data-sign={signIn(measure, row)}>{figureText(measure, row)}</td>
              <td className={styles.before}>{figureText(measure, row.before)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Name({ row, choice, by }: { row: ReportRow; choice: ReportChoice; by: Report['by'] }) {
  const to = placeOf(row, choice, by);
  const name = rowName(by, row);
  return to ? <Link to={to}>{name}</Link> : <SiteName name={name} />;
}

function Detail({ row, by }: { row: ReportRow; by: Report['by'] }) {
  const { t } = useTranslation();
  const place = placementOf(by, row);
  const detail = row.key === 'unknown' ? t('reports.unknownHint') : row.detail;
  return (
    <>
      {detail && <span className={styles.detail}>{detail}</span>}
      {place && (
        <span className={styles.control}>
          <PlacementControl name={rowName(by, row)} place={place} />
        </span>
      )}
    </>
  );
}

/** A plan, a product, or what a day was made of. */
function placeOf({ key }: ReportRow, choice: ReportChoice, by: Report['by']): Place | null {
  if (key === 'others') return null;
  if (by === 'plan') return planPath(key);
  if (by === 'product') return `/plan/goods-detail?id=${encodeURIComponent(key)}`;
  if (by !== 'day') return null;
  return reportPath({ ...choice, days: { from: key, to: key }, by: 'plan', sorting: null });
}

function sortOf(sorting: Sorting, column: Column) {
  if (sorting.column !== column) return undefined;
  return sorting.order === 'asc' ? 'ascending' : 'descending';
}

function arrowOf(sorting: Sorting, column: Column) {
  if (sorting.column !== column) return '';
  return sorting.order === 'asc' ? '\u00a0↑' : '\u00a0↓';
}

type PlacementControlProps = { name: string; place: Placement };

/** Excludes a place for all plans, and takes it back as long as it is in sight. */
function PlacementControl({ name, place }: PlacementControlProps) {
  const [isOut, setIsOut] = useState(false);
  return isOut ? (
    <IncludeButton name={name} place={place} scope="all" onDone={() => setIsOut(false)} />
  ) : (
    <ExcludeButton name={name} place={place} onChange={setIsOut} />
  );
}

/**
 * The placement of a row that can be excluded: a publisher's slot, an exchange's site or app, or a
 * whole exchange if it named neither. The row's key is the slot's number, followed by the name from
 * the exchange, if there is one.
 */
export function placementOf(by: Report['by'], { key, name, detail }: ReportRow): Placement | null {
  if (by !== 'placement') return null;
  const [, slot, source] = /^(\d+)(?: (.*))?$/.exec(key) ?? [];
  if (!slot) return null;
  if (source && source === name) return { site: source };
  return detail === null ? { exchange: name } : { slot: detail };
}
