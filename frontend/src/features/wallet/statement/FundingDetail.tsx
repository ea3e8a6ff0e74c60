import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Currency, Flow, FlowKind } from '@/api/types';
import { formatDate, formatMonth } from '@/i18n/format';
import { monthOf } from '@/shared/money/flow-path';
import { Button } from '@/ui/controls/Button';
import { Card } from '@/ui/display/Card';
import { EmptyState } from '@/ui/feedback/EmptyState';
import { PickerField } from '@/ui/form/PickerField';
import { SelectField } from '@/ui/form/SelectField';
import { FlowPicture } from '@/ui/illustrations/FlowPicture';
import { InfiniteList } from '@/ui/lists/InfiniteList';
import { useFlow } from '../queries';
import styles from './FundingDetail.module.css';
import { FlowChips } from './filters/FlowChips';
import { type FlowFilter, hasMonths, offeredMonths } from './filters/flow-filter';
import { useFlowFilter } from './filters/use-flow-filter';
import { flowKindNames } from './flow-kinds';
import { LinesSum } from './LinesSum';
import { MonthChart } from './MonthChart';
import { MonthHead } from './MonthHead';
import { MonthSum } from './MonthSum';
import { FlowRow } from './rows/FlowRow';
import { FlowSheet } from './rows/FlowSheet';
import { StatementSheet } from './StatementSheet';
import { useLedHere } from './use-led-here';

/** The statement: every movement of the user's money, filtered by time, kind and plan. */
export function FundingDetail({ currency, hidden }: { currency: Currency; hidden: boolean }) {
  const { t } = useTranslation();
  const [saving, setSaving] = useState(false);
  const months = offeredMonths();
  const [filter, setFilter] = useFlowFilter(months);
  const { month } = filter;
  const here = useLedHere(isFiltered(filter));
  const pick = (month: string | null) => setFilter({ ...filter, month, stretch: null });
  return (
    <div ref={here} tabIndex={-1} className={styles.here}>
      <Card
        title={t('wallet.funding')}
        aside={
          <Button size="small" variant="quiet" icon="arrow-down" onClick={() => setSaving(true)}>
            {t('wallet.statement')}
          </Button>
        }
      >
        {!hidden && hasMonths(filter) && (
          <MonthChart
            currency={currency}
            selected={month}
            onSelect={(picked) => pick(picked === month ? null : picked)}
          />
        )}
        <Filters filter={filter} months={months} onMonth={pick} onChange={setFilter} />
        <FlowChips
          filter={filter}
          onChange={(wider) => {
            setFilter(wider);
            // What had the focus is gone.
            here.current?.focus({ preventScroll: true });
          }}
        />
        <Lines filter={filter} currency={currency} hidden={hidden} />
        <StatementSheet
          key={month}
          open={saving}
          onClose={() => setSaving(false)}
          months={months}
          first={month ?? months[0] ?? ''}
        />
      </Card>
    </div>
  );
}

type FiltersProps = {
  filter: FlowFilter;
  months: readonly string[];
  onMonth: (month: string | null) => void;
  onChange: (filter: FlowFilter) => void;
};

function Filters({ filter, months, onMonth, onChange }: FiltersProps) {
  const { t } = useTranslation();
  return (
    <div className={styles.filters}>
      <PickerField
        label={t('wallet.month')}
        value={filter.month ?? ''}
        onChange={(value) => onMonth(value || null)}
        options={[
          { value: '', text: t('wallet.allMonths') },
          ...months.map((value) => ({ value, text: formatMonth(value) })),
        ]}
      />
      <SelectField<FlowKind | ''>
        label={t('wallet.kindLabel')}
        value={filter.kind ?? ''}
        onChange={(value) => onChange({ ...filter, kind: value || null })}
        options={[
          { value: '', label: t('wallet.allKinds') },
          ...flowKindNames.map((value) => ({ value, label: t(`wallet.kind.${value}`) })),
        ]}
      />
    </div>
  );
}

type LinesProps = { filter: FlowFilter; currency: Currency; hidden: boolean };

function Lines({ filter, currency, hidden }: LinesProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState<Flow | null>(null);
  const flow = useFlow(filter);
  const { month, stretch, plan, kind } = filter;
  const known = flow.data?.pages.flatMap((page) => page.months) ?? [];
  const sumsOf = (wanted: string) => known.find((one) => one.month === wanted);
  // They count every line of the month, and would mislead above a part of the lines.
  const some = kind !== null || plan !== null || stretch !== null;
  const monthSum = month && !some && sumsOf(month);
  const sum = flow.data?.pages[0]?.sum;
  const filtered = isFiltered(filter);
  return (
    <>
      {monthSum && <MonthSum month={monthSum} currency={currency} hidden={hidden} />}
      {sum && <LinesSum sum={sum} currency={currency} hidden={hidden} />}
      <div className={styles.list}>
        <InfiniteList
          query={flow}
          label={t('wallet.funding')}
          keyOf={(one) => one.id}
          renderItem={(one, before) => (
            <>
              {!month && monthOf(one.time) !== (before && monthOf(before.time)) && (
                <MonthHead
                  month={monthOf(one.time)}
                  sums={some || hidden ? undefined : sumsOf(monthOf(one.time))}
                  currency={currency}
                  first={!before}
                />
              )}
              {dayOf(one) !== (before && dayOf(before)) && (
                <p className={styles.day}>{dayOf(one)}</p>
              )}
              <FlowRow flow={one} currency={currency} hidden={hidden} onOpen={() => setOpen(one)} />
            </>
          )}
          empty={
            <EmptyState
              picture={<FlowPicture />}
              title={filtered ? t('wallet.emptyFilter') : t('wallet.empty')}
              description={filtered ? t('wallet.emptyFilterHint') : t('wallet.emptyHint')}
            />
          }
        />
      </div>
      <FlowSheet flow={open} currency={currency} hidden={hidden} onClose={() => setOpen(null)} />
    </>
  );
}

const isFiltered = ({ month, stretch, plan, kind }: FlowFilter) =>
  (month ?? stretch ?? plan ?? kind) !== null;

function dayOf(flow: Flow): string {
  return formatDate(flow.time);
}
