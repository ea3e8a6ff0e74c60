import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import type { ListedPlan, PlanSort } from '@/api/types';
import { formatCount, formatDate, formatReturn } from '@/i18n/format';
import { ProgressBar } from '@/ui/charts/ProgressBar';
import { runningSums } from '@/ui/charts/running-sums';
import { Sparkline } from '@/ui/charts/Sparkline';
import { Icon } from '@/ui/display/Icon';
import { AmountText } from '@/ui/money/AmountText';
import { signOf } from '@/ui/money/result-sign';
import { useLongPress } from '@/ui/use-long-press';
import { everyPlan, type PlanFilter } from '../filters/plan-filter';
import { useSortNames } from '../filters/use-sort-names';
import { PlanCover, type PlanProps } from '../list/PlanCover';
import { type Steer, SteerButton } from '../list/SteerButton';
import { PlanStatusTag } from '../PlanStatusTag';
import { isRunning } from '../plan-status';
import styles from './PlanTable.module.css';

type Props = PlanProps & { onSteer: Steer };

/** The cells of a plan, where there is room for a table. All of the row leads to it, or selects it. */
export const PlanRow = memo(function PlanRow({ plan, selected, onSelect, onSteer }: Props) {
  const holding = useLongPress(selected === null ? () => onSelect(plan) : null);
  const id = `plan-${plan.id}`;
  return (
    <>
      <th scope="row" data-selected={selected ?? undefined} {...holding}>
        <PlanCover plan={plan} selected={selected} onSelect={onSelect} name={id} />
        <span id={id} className={styles.names}>
          <span className={styles.name}>{plan.product.name}</span>{' '}
          <span className={styles.number}>{plan.plan_no}</span>
        </span>
      </th>
      <Content plan={plan} />
      <td className={styles.control}>
        {selected === null && isRunning(plan) && <SteerButton plan={plan} onSteer={onSteer} />}
      </td>
    </>
  );
});

/** Beside what can be selected, so that a thousand plans are not drawn anew for it. */
const Content = memo(function Content({ plan }: { plan: ListedPlan }) {
  const { t } = useTranslation();
  const from = plan.followed_id && t('operated.offerFrom', { id: plan.followed_id });
  return (
    <>
      <td>
        <PlanStatusTag plan={plan} />
        {from && <span className={styles.from}>{from}</span>}
      </td>
      <td>{formatDate(plan.created_at)}</td>
      {plan.status === 'waiting_to_put' ? (
        <td className={styles.invite} colSpan={5}>
          {t('plans.waitingHint')}
        </td>
      ) : (
        <Figures plan={plan} />
      )}
    </>
  );
});

function Figures({ plan }: { plan: ListedPlan }) {
  const { t } = useTranslation();
  const sign = signOf(plan.profit);
  return (
    <>
      <td className={styles.figure}>
        <AmountText amount={plan.consumed} />
        <span className={styles.budget}>
          {t('plans.of')} <AmountText amount={plan.put_amount} />
        </span>
        <ProgressBar value={plan.progress} label={t('plans.progress')} />
      </td>
      <td className={styles.figure}>{formatCount(plan.conversions)}</td>
      <td className={styles.figure} data-sign={sign}>
        <AmountText amount={plan.profit} signed />
      </td>
      <td className={styles.figure} data-sign={sign}>
        {formatReturn(plan.return_on_spend)}
      </td>
      <td className={styles.course}>
        <Sparkline values={runningSums(plan.trend)} tone={sign} />
      </td>
    </>
  );
}

type Sorting = Pick<PlanFilter, 'sort' | 'order'>;
type PlanTableHeadProps = Sorting & { onChange: (sorting: Sorting) => void };

/** The table's columns. What plans are sorted by is a button, and so in the address as on a phone. */
export function PlanTableHead({ sort, order, onChange }: PlanTableHeadProps) {
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
