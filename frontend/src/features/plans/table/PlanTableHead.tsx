import { useTranslation } from 'react-i18next';
import type { PlanSort } from '@/api/types';
import { Icon } from '@/ui/display/Icon';
import { everyPlan, type PlanFilter } from '../filters/plan-filter';
import { useSortNames } from '../filters/use-sort-names';
import styles from './PlanTable.module.css';

type Sorting = Pick<PlanFilter, 'sort' | 'order'>;
type Props = Sorting & { onChange: (sorting: Sorting) => void };

/** The table's columns. What plans are sorted by is a button, and so in the address as on a phone. */
export function PlanTableHead({ sort, order, onChange }: Props) {
  const { t } = useTranslation();
  const column = (by: PlanSort) => (
    <SortColumn
      by={by}
      order={sort === by ? order : null}
      onSort={(next) => onChange({ sort: by, order: next })}
    />
  );
  return (
    <>
      <th scope="col">{t('plans.filter.product')}</th>
      <th scope="col">{t('plans.statuses')}</th>
      {column('newest')}
      {column('consumed')}
      {column('conversions')}
      {column('profit')}
      {column('roi')}
      <th scope="col">
        <span className="visually-hidden">{t('plans.series.title')}</span>
      </th>
      <td />
    </>
  );
}

/** Figures without anything else in their cells. */
const atEnd: readonly PlanSort[] = ['conversions', 'profit', 'roi'];

const said = { desc: 'descending', asc: 'ascending' } as const;

type ColumnProps = {
  by: PlanSort;
  /** If the plans are sorted by this column. */
  order: Sorting['order'] | null;
  onSort: (order: Sorting['order']) => void;
};

function SortColumn({ by, order, onSort }: ColumnProps) {
  const name = useSortNames()[by];
  const turned = order === 'desc' ? 'asc' : everyPlan.order;
  return (
    <th
      scope="col"
      className={atEnd.includes(by) ? styles.end : undefined}
      aria-sort={order ? said[order] : 'none'}
      data-column={by}
    >
      <button type="button" className={styles.sort} onClick={() => onSort(turned)}>
        {name}
        {order && <Icon name={order === 'desc' ? 'arrow-down' : 'arrow-up'} size={14} />}
      </button>
    </th>
  );
}
