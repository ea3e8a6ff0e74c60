import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigationType } from 'react-router-dom';
import { serverDate } from '@/api/server-clock';
import { Button } from '@/ui/controls/Button';
import { Tabs } from '@/ui/controls/Tabs';
import { Card } from '@/ui/display/Card';
import styles from './FundingDetail.module.css';
import { Filters, showing, shownBy, useShowTabs } from './filters/Filters';
import { type FlowFilter, hasMonths, isFiltered } from './filters/flow-filter';
import { monthsSince } from './filters/months';
import { stretchName } from './filters/stretch-name';
import { useFlowFilter } from './filters/use-flow-filter';
import { MonthChart } from './MonthChart';
import { planNumberQuery, useFilterOptions } from './queries';
import { Rows } from './rows/Rows';
import { StatementSheet } from './StatementSheet';

/** The statement: every movement of the user's money, a plan's bills summed up by day. */
export function FundingDetail({ hidden }: { hidden: boolean }) {
  const { t } = useTranslation();
  const [saving, setSaving] = useState(false);
  const [filter, setFilter] = useFlowFilter();
  const choices = useFilterOptions();
  const months = monthsSince(choices?.first_month ?? '9999-12', serverDate());
  const tabs = useShowTabs(choices?.kinds ?? [], filter.kind);
  const { month } = filter;
  const here = useScrollToLines(isFiltered(filter));
  const pick = (picked: string | null) => setFilter({ month: picked, stretch: null });
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
        {!hidden && hasMonths(filter) && choices && (
          <MonthChart
            months={choices.latest_months}
            selected={month}
            onSelect={(picked) => pick(picked === month ? null : picked)}
          />
        )}
        <Filters
          filter={filter}
          months={months}
          onMonth={pick}
          onSearch={(search) => setFilter({ search })}
        />
        <FlowChips
          filter={filter}
          onChange={(wider) => {
            setFilter(wider);
            // The focused chip is gone now.
            here.current?.focus({ preventScroll: true });
          }}
        />
        <Tabs
          label={t('wallet.kindLabel')}
          variant="pills"
          tabs={tabs}
          value={shownBy(filter)}
          onChange={(show) => setFilter(showing(show))}
        >
          <Rows filter={filter} hidden={hidden} />
        </Tabs>
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

type Props = { filter: FlowFilter; onChange: (part: Partial<FlowFilter>) => void };

/** Filters without a picker: the period and the plan that a link led to. */
function FlowChips({ filter, onChange }: Props) {
  const { t } = useTranslation();
  const { stretch, plan } = filter;
  if (!stretch && !plan) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset brings a frame of its own.
    <div role="group" aria-label={t('wallet.filters')} className={styles.chips}>
      {stretch && <Chip text={stretchName(stretch)} onDrop={() => onChange({ stretch: null })} />}
      {plan && <PlanChip id={plan} onDrop={() => onChange({ plan: null })} />}
    </div>
  );
}

function PlanChip({ id, onDrop }: { id: string; onDrop: () => void }) {
  const { t } = useTranslation();
  const { data: number } = useQuery(planNumberQuery(id));
  return (
    <Chip text={number ? t('wallet.ofPlan', { number }) : t('wallet.onePlan')} onDrop={onDrop} />
  );
}

function Chip({ text, onDrop }: { text: string; onDrop: () => void }) {
  const { t } = useTranslation();
  return (
    <Button
      size="small"
      variant="secondary"
      icon="close"
      aria-label={t('wallet.dropFilter', { filter: text })}
      onClick={onDrop}
    >
      {text}
    </Button>
  );
}

/**
 * After a link to some of the lines, scrolls to them; after going back, the position is restored.
 */
function useScrollToLines(wanted: boolean) {
  const here = useRef<HTMLDivElement>(null);
  const { key } = useLocation();
  const followed = useNavigationType() === 'PUSH';
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each link that is followed.
  useEffect(() => {
    if (!wanted || !followed) return;
    // A new page begins at its top, so this comes after that.
    const frame = requestAnimationFrame(() => {
      here.current?.focus({ preventScroll: true });
      here.current?.scrollIntoView({ block: 'start' });
    });
    return () => cancelAnimationFrame(frame);
  }, [key]);
  return here;
}
