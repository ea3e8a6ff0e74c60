import type { CSSProperties } from 'react';
import { useTranslation } from 'react-i18next';
import { useCurrency } from '@/api/queries/currency';
import type { Compared } from '@/api/types';
import { type Place, planPath } from '@/pages';
import { runningSums } from '@/ui/charts/running-sums';
import { Sparkline } from '@/ui/charts/Sparkline';
import { IconButton } from '@/ui/controls/IconButton';
import { Link } from '@/ui/controls/Link';
import { Icon } from '@/ui/display/Icon';
import { signOf } from '@/ui/money/result-sign';
import { PlanStatusTag } from '../PlanStatusTag';
import styles from './CompareTable.module.css';
import { type Cell, type FigureRow, figureRows } from './figures';

type Props = {
  items: readonly Compared[];
  /** Null where none is taken out. */
  onRemove: ((product: string) => void) | null;
};

/** The figures as rows; what has no room is behind the edge, and their names stay in sight. */
export function CompareTable({ items, onRemove }: Props) {
  const { t } = useTranslation();
  useCurrency();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: who has only keys scrolls it once it has the focus.
    <section className={styles.scroll} aria-label={t('plans.compare.table')} tabIndex={0}>
      <table className={styles.table} style={{ '--columns': items.length } as CSSProperties}>
        <thead>
          <tr>
            <th scope="col">
              <span className="visually-hidden">{t('plans.compare.figure')}</span>
            </th>
            {items.map((item) => (
              <th key={keyOf(item)} scope="col">
                <Head item={item} onRemove={onRemove} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {figureRows(items, t).map((row) => (
            <Row key={row.key} row={row} items={items} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

const keyOf = ({ plan, product }: Compared) => plan?.id ?? product.id;

function Head({ item, onRemove }: { item: Compared } & Pick<Props, 'onRemove'>) {
  const { t } = useTranslation();
  const { plan, product } = item;
  const to: Place = plan
    ? planPath(plan.id)
    : `/plan/goods-detail?id=${encodeURIComponent(product.id)}`;
  return (
    <div className={styles.head}>
      <Link className={styles.name} to={to}>
        {product.name}
        {plan && <span className={styles.number}> {plan.plan_no}</span>}
      </Link>
      {plan && <PlanStatusTag plan={plan} />}
      {item.trend.length > 0 && (
        <Sparkline values={runningSums(item.trend)} tone={signOf(item.ratios.profit)} />
      )}
      {onRemove && (
        <IconButton
          icon="close"
          size={16}
          label={t('plans.compare.remove', { name: product.name })}
          onClick={() => onRemove(product.id)}
        />
      )}
    </div>
  );
}

function Row({ row, items }: { row: FigureRow; items: readonly Compared[] }) {
  return (
    <tr>
      <th scope="row">{row.label}</th>
      {row.cells.map((cell, at) => (
        <td key={keyOf(items[at] as Compared)} data-best={cell.best || undefined}>
          <Value cell={cell} word={row.key === 'profit'} />
        </td>
      ))}
    </tr>
  );
}

/** A result says its sign in a word as well, and the best one that it is. */
function Value({ cell: { text, sign, best }, word }: { cell: Cell; word: boolean }) {
  const { t } = useTranslation();
  return (
    <>
      <span className={styles.value} data-sign={sign ?? undefined}>
        {text}
      </span>
      {word && sign && (
        <span className={styles.word} data-sign={sign}>
          {t(`plans.result.${sign}`)}
        </span>
      )}
      {best && (
        <span className={styles.best}>
          <Icon name="star" size={12} /> {t('plans.compare.best')}
        </span>
      )}
    </>
  );
}
