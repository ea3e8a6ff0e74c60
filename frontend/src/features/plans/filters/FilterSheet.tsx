import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PlanSort } from '@/api/types';
import { DayRangeFields } from '@/shared/days/DayRangeFields';
import { rangeOf } from '@/shared/days/days';
import { Button } from '@/ui/controls/Button';
import { RadioList } from '@/ui/form/RadioList';
import { SearchField } from '@/ui/form/SearchField';
import { SelectField } from '@/ui/form/SelectField';
import { Sheet } from '@/ui/layers/Sheet';
import { useAfterPaint } from '@/ui/use-after-paint';
import { anyTime, countSet, everyPlan, type PlanFilter, type PutTime, sorts } from './plan-filter';
import { useSortNames } from './use-sort-names';

export type FilterProps = {
  filter: PlanFilter;
  onChange: (part: Partial<PlanFilter>) => void;
  /** The products of the user's plans. */
  products: readonly { id: string; name: string }[];
};

type Props = FilterProps & { open: boolean; onClose: () => void };

/** Product, site, time and order: what changes is listed at once behind the sheet. */
export function FilterSheet({ open, onClose, ...rest }: Props) {
  const { t } = useTranslation();
  const { product, site, put, sort, order } = everyPlan;
  // The sheet answers the press at once, and does not wait for its fields.
  const painted = useAfterPaint(open);
  const actions = (
    <>
      <Button onClick={onClose}>{t('plans.filter.show')}</Button>
      {countSet(rest.filter) > 0 && (
        <Button
          variant="secondary"
          onClick={() => {
            rest.onChange({ product, site, put, sort, order });
            onClose();
          }}
        >
          {t('plans.filter.clear')}
        </Button>
      )}
    </>
  );
  return (
    <Sheet open={open} onClose={onClose} title={t('wallet.filters')} actions={actions}>
      {painted && <Fields {...rest} />}
    </Sheet>
  );
}

function Fields({ filter, onChange, products }: FilterProps) {
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
      <PutTimeField value={put} onChange={(time) => onChange({ put: time })} />
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

type PutTimeFieldProps = { value: PutTime; onChange: (time: PutTime) => void };

const times = ['any', '7', '30', 'range'] as const;
type Time = (typeof times)[number];

/** When the amount was put: at any time, lately, or between two days, of which either may be open. */
function PutTimeField({ value, onChange }: PutTimeFieldProps) {
  const { t } = useTranslation();
  const [time, setTime] = useState<Time>(timeOf(value));
  const [days, setDays] = useState({ from: value.from ?? '', to: value.to ?? '' });
  const range = rangeOf(days.from, days.to);

  const choose = (chosen: Time) => {
    setTime(chosen);
    if (chosen === '7' || chosen === '30') onChange({ within: chosen, from: null, to: null });
    else onChange(chosen === 'range' && range ? { within: null, ...range } : anyTime);
  };
  const change = (part: Partial<typeof days>) => {
    const next = { ...days, ...part };
    setDays(next);
    const read = rangeOf(next.from, next.to);
    if (read) onChange({ within: null, ...read });
  };
  return (
    <>
      <RadioList
        legend={t('plans.filter.put')}
        options={times.map((one) => ({ value: one, content: t(`plans.filter.time.${one}`) }))}
        value={time}
        onChange={choose}
        dense
      />
      {time === 'range' && (
        <DayRangeFields
          days={days}
          onChange={change}
          error={range === null ? t('plans.filter.backwards') : null}
        />
      )}
    </>
  );
}

function timeOf({ within, from, to }: PutTime): Time {
  return within ?? (from || to ? 'range' : 'any');
}
