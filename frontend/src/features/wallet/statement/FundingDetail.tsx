import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/ui/controls/Button';
import { Tabs } from '@/ui/controls/Tabs';
import { Card } from '@/ui/display/Card';
import styles from './FundingDetail.module.css';
import { Filters, showing, shownBy, useShowTabs } from './filters/Filters';
import { FlowChips } from './filters/FlowChips';
import { hasMonths, isFiltered } from './filters/flow-filter';
import { monthsSince } from './filters/months';
import { useFlowFilter } from './filters/use-flow-filter';
import { MonthChart } from './MonthChart';
import { useFilterOptions } from './queries';
import { Rows } from './rows/Rows';
import { StatementSheet } from './StatementSheet';
import { useScrollToLines } from './use-scroll-to-lines';

/** The statement: every movement of the user's money, a plan's bills summed up by day. */
export function FundingDetail({ hidden }: { hidden: boolean }) {
  const { t } = useTranslation();
  const [saving, setSaving] = useState(false);
  const [filter, setFilter] = useFlowFilter();
  const choices = useFilterOptions();
  const months = monthsSince(choices?.first_month ?? '9999-12', new Date());
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
            // What had the focus is gone.
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
