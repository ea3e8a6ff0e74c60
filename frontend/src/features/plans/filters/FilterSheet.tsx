import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { PlanSort } from '@/api/types';
import { showHalfTyped, showProblem } from '@/shared/forms/use-form';
import { Button } from '@/ui/controls/Button';
import { RadioList } from '@/ui/form/RadioList';
import { SearchField } from '@/ui/form/SearchField';
import { SelectField } from '@/ui/form/SelectField';
import { Sheet } from '@/ui/layers/Sheet';
import { useAfterPaint } from '@/ui/use-after-paint';
import styles from './PlanFilters.module.css';
import { type KeptDays, PutTimeField } from './PutTimeField';
import { countSet, everyPlan, type PlanFilter, sorts } from './plan-filter';
import { useSortNames } from './use-sort-names';

export type FilterProps = {
  filter: PlanFilter;
  onChange: (part: Partial<PlanFilter>) => void;
  /** The products of the user's plans. */
  products: readonly { id: string; name: string }[];
};

type Props = FilterProps & { open: boolean; onClose: () => void; kept: KeptDays };

/**
 * Product, site, time and order: what changes is listed at once behind the sheet. It does not close
 * over a field that is wrong, whose text is listed nowhere, until it has said so.
 */
export function FilterSheet({ open, onClose, ...rest }: Props) {
  const { t } = useTranslation();
  const { product, site, put, sort, order } = everyPlan;
  const fields = useRef<HTMLDivElement>(null);
  // What was said counts until somebody types on.
  const said = useRef(false);
  const isWrong = () => showHalfTyped(fields.current) || showProblem(fields.current);
  const close = () => {
    said.current = false;
    onClose();
  };
  const dismiss = () => {
    if (said.current || !isWrong()) close();
    else said.current = true;
  };
  // The sheet answers the press at once, and does not wait for its fields.
  const painted = useAfterPaint(open);
  const actions = (
    <>
      <Button onClick={() => isWrong() || close()}>{t('plans.filter.show')}</Button>
      {countSet(rest.filter) > 0 && (
        <Button
          variant="secondary"
          onClick={() => {
            rest.onChange({ product, site, put, sort, order });
            close();
          }}
        >
          {t('plans.filter.clear')}
        </Button>
      )}
    </>
  );
  return (
    <Sheet open={open} onClose={dismiss} title={t('wallet.filters')} actions={actions}>
      <div ref={fields} className={styles.fields} onInput={() => (said.current = false)}>
        {painted && <Fields {...rest} />}
      </div>
    </Sheet>
  );
}

function Fields({ filter, onChange, products, kept }: FilterProps & { kept: KeptDays }) {
  const { t } = useTranslation();
  const names = useSortNames();
  const { product, site, put, sort, order } = filter;
  const offered = products.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <>
      <SelectField
        label={t('plans.filter.product')}
        options={[{ value: '', label: t('plans.filter.anyProduct') }, ...offered]}
        value={product ?? ''}
        onChange={(id) => onChange({ product: id || null })}
        // A link may name a product on which the user has no plan.
        placeholder={`#${product}`}
      />
      <SearchField
        landmark={false}
        label={t('plans.filter.site')}
        value={site}
        onSearch={(name) => onChange({ site: name })}
      />
      <PutTimeField value={put} onChange={(time) => onChange({ put: time })} kept={kept} />
      <SelectField
        label={t('plans.filter.sort')}
        options={sorts.map((value) => ({ value, label: names[value] }))}
        value={sort}
        onChange={(chosen) => onChange({ sort: chosen })}
      />
      <RadioList
        legend={t('plans.filter.direction')}
        options={(['desc', 'asc'] as const).map((value) => ({
          value,
          content: t(`plans.filter.first.${firsts[sort][value]}`),
        }))}
        value={order}
        onChange={(chosen) => onChange({ order: chosen })}
        dense
      />
    </>
  );
}

const byTime = { desc: 'newest', asc: 'oldest' } as const;
const byResult = { desc: 'best', asc: 'worst' } as const;
const byAmount = { desc: 'most', asc: 'least' } as const;

/** Which plans come first. */
const firsts = {
  newest: byTime,
  profit: byResult,
  roi: byResult,
  consumed: byAmount,
  conversions: byAmount,
} as const satisfies Record<PlanSort, object>;
