import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import type { Currency, Flow, FlowKind } from '@/api/types';
import { monthOf } from '@/app/flow-path';
import { formatDate, formatMonth } from '@/i18n/format';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { EmptyState } from '@/ui/EmptyState';
import { InfiniteList } from '@/ui/InfiniteList';
import { FlowPicture } from '@/ui/illustrations/FlowPicture';
import { PickerField } from '@/ui/PickerField';
import { FlowRow } from './FlowRow';
import { FlowSheet } from './FlowSheet';
import styles from './FundingDetail.module.css';
import { flowKindNames } from './flow-kinds';
import { MonthChart } from './MonthChart';
import { MonthHead } from './MonthHead';
import { MonthSum } from './MonthSum';
import { recentMonths } from './months';
import { type FlowFilter, useFlow } from './queries';
import { StatementSheet } from './StatementSheet';
import { useLedHere } from './use-led-here';

const monthsOffered = 24;

/** The statement: every movement of the user's money, by month and kind. */
export function FundingDetail({ currency, hidden }: { currency: Currency; hidden: boolean }) {
  const { t } = useTranslation();
  const [saving, setSaving] = useState(false);
  const months = recentMonths(new Date(), monthsOffered);
  const [filter, setFilter] = useFilter(months);
  const { month } = filter;
  const here = useLedHere(month !== null || filter.kind !== null);
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
        {!hidden && (
          <MonthChart
            currency={currency}
            selected={month}
            onSelect={(picked) => setFilter({ ...filter, month: picked === month ? null : picked })}
          />
        )}
        <Filters filter={filter} months={months} onChange={setFilter} />
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

/** In the address: a link may lead to one month or kind, and who comes back finds it chosen. */
function useFilter(months: readonly string[]): [FlowFilter, (filter: FlowFilter) => void] {
  const [params, setParams] = useSearchParams();
  const month = months.find((one) => one === params.get('month')) ?? null;
  const kind = flowKindNames.find((one) => one === params.get('kind')) ?? null;
  const setFilter = (filter: FlowFilter) =>
    setParams(
      { ...(filter.month && { month: filter.month }), ...(filter.kind && { kind: filter.kind }) },
      { replace: true },
    );
  return [{ month, kind }, setFilter];
}

type FiltersProps = {
  filter: FlowFilter;
  months: readonly string[];
  onChange: (filter: FlowFilter) => void;
};

function Filters({ filter, months, onChange }: FiltersProps) {
  const { t } = useTranslation();
  return (
    <div className={styles.filters}>
      <PickerField
        label={t('wallet.month')}
        value={filter.month ?? ''}
        onChange={(value) => onChange({ ...filter, month: value || null })}
        options={[
          { value: '', text: t('wallet.allMonths') },
          ...months.map((value) => ({ value, text: formatMonth(value) })),
        ]}
      />
      <PickerField<FlowKind | ''>
        label={t('wallet.kindLabel')}
        value={filter.kind ?? ''}
        onChange={(value) => onChange({ ...filter, kind: value || null })}
        options={[
          { value: '', text: t('wallet.allKinds') },
          ...flowKindNames.map((value) => ({ value, text: t(`wallet.kind.${value}`) })),
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
  const { month, kind } = filter;
  const known = flow.data?.pages.flatMap((page) => page.months) ?? [];
  const sumsOf = (wanted: string) => known.find((one) => one.month === wanted);
  // Like those at the head of a month: beside the lines of one kind they would mislead.
  const sum = month && !kind && sumsOf(month);
  const filtered = month !== null || kind !== null;
  return (
    <>
      {sum && <MonthSum month={sum} currency={currency} hidden={hidden} />}
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
                  // They count every kind, which beside a few lines of one would mislead.
                  sums={kind || hidden ? undefined : sumsOf(monthOf(one.time))}
                  currency={currency}
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

function dayOf(flow: Flow): string {
  return formatDate(flow.time);
}
