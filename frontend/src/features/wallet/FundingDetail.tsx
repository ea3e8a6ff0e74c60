import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Currency, Flow, FlowKind } from '@/api/types';
import { formatDate, formatMonth } from '@/i18n/format';
import { Card } from '@/ui/Card';
import { EmptyState } from '@/ui/EmptyState';
import { InfiniteList } from '@/ui/InfiniteList';
import { SelectField } from '@/ui/SelectField';
import { FlowRow } from './FlowRow';
import styles from './FundingDetail.module.css';
import { flowKindNames } from './flow-kinds';
import { MonthChart } from './MonthChart';
import { MonthSum } from './MonthSum';
import { recentMonths } from './months';
import { type FlowFilter, useFlow } from './queries';

const monthsOffered = 12;

/** The statement: every movement of the user's money, by month and kind. */
export function FundingDetail({ currency, hidden }: { currency: Currency; hidden: boolean }) {
  const { t } = useTranslation();
  const [filter, setFilter] = useState<FlowFilter>({ month: null, kind: null });
  const flow = useFlow(filter);
  const { month, kind } = filter;
  const sum = month && flow.data?.pages[0]?.months.find((one) => one.month === month);
  const months = recentMonths(new Date(), monthsOffered);
  return (
    <Card title={t('wallet.funding')}>
      {!hidden && (
        <MonthChart
          currency={currency}
          selected={month}
          onSelect={(picked) => setFilter({ ...filter, month: picked === month ? null : picked })}
        />
      )}
      <div className={styles.filters}>
        <SelectField
          label={t('wallet.month')}
          value={month ?? ''}
          onChange={(value) => setFilter({ ...filter, month: value || null })}
          options={[
            { value: '', label: t('wallet.allMonths') },
            ...months.map((value) => ({ value, label: formatMonth(value) })),
          ]}
        />
        <SelectField<FlowKind | ''>
          label={t('wallet.kindLabel')}
          value={kind ?? ''}
          onChange={(value) => setFilter({ ...filter, kind: value || null })}
          options={[
            { value: '', label: t('wallet.allKinds') },
            ...flowKindNames.map((value) => ({ value, label: t(`wallet.kind.${value}`) })),
          ]}
        />
      </div>
      {sum && <MonthSum month={sum} currency={currency} hidden={hidden} />}
      <div className={styles.list}>
        <InfiniteList
          query={flow}
          label={t('wallet.funding')}
          keyOf={(one) => one.id}
          renderItem={(one, before) => (
            <>
              {dayOf(one) !== (before && dayOf(before)) && (
                <p className={styles.day}>{dayOf(one)}</p>
              )}
              <FlowRow flow={one} currency={currency} hidden={hidden} />
            </>
          )}
          empty={
            <EmptyState
              title={month || kind ? t('wallet.emptyFilter') : t('wallet.empty')}
              description={month || kind ? t('wallet.emptyFilterHint') : t('wallet.emptyHint')}
            />
          }
        />
      </div>
    </Card>
  );
}

function dayOf(flow: Flow): string {
  return formatDate(flow.time);
}
