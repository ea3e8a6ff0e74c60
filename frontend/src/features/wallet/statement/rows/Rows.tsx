import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FlowKind, FlowRow } from '@/api/types';
import { formatDate } from '@/i18n/format';
import { monthOf } from '@/shared/money/flow-path';
import { EmptyState } from '@/ui/feedback/EmptyState';
import { FlowPicture } from '@/ui/illustrations/FlowPicture';
import { InfiniteList } from '@/ui/lists/InfiniteList';
import { type FlowFilter, isFiltered, isNarrowed } from '../filters/flow-filter';
import { LinesSum, MonthSum } from '../LinesSum';
import { MonthHead } from '../MonthHead';
import { daysQuery } from '../queries';
import { Row } from './Row';
import { RowSheets } from './RowSheets';
import styles from './Rows.module.css';

type Props = { filter: FlowFilter; hidden: boolean };

/** The rows that match, by month and day, with their totals. */
export function Rows({ filter, hidden }: Props) {
  const { t } = useTranslation();
  const [open, setOpen] = useState<FlowRow | null>(null);
  const rows = useEveryMatch(filter);
  const { month, direction, kind } = filter;
  const known = rows.data?.pages.flatMap((page) => page.months) ?? [];
  const sumsOf = (wanted: string) => known.find((one) => one.month === wanted);
  // The sums count every line of the month, so they would mislead above a filtered list.
  const some = isNarrowed(filter);
  const monthSum = month && !some && sumsOf(month);
  const sum = rows.data?.pages[0]?.sum;
  const shown = { hidden };
  const explained = kind ? new Set<string>() : firstOfKinds(rows.data?.pages ?? []);
  return (
    <>
      {direction && <p className={styles.hint}>{t(`wallet.showHint.${direction}`)}</p>}
      {kind && <p className={styles.hint}>{t(`wallet.kindAbout.${kind}`)}</p>}
      {monthSum && <MonthSum month={monthSum} {...shown} />}
      {sum && <LinesSum sum={sum} {...shown} />}
      <div className={styles.list}>
        <InfiniteList
          query={rows}
          label={t('wallet.funding')}
          keyOf={(row) => row.id}
          renderItem={(row, before) => (
            <>
              {!month && monthOf(row.time) !== (before && monthOf(before.time)) && (
                <MonthHead
                  month={monthOf(row.time)}
                  sums={some || hidden ? undefined : sumsOf(monthOf(row.time))}
                  first={!before}
                />
              )}
              {dayOf(row) !== (before && dayOf(before)) && (
                <p className={styles.day}>{dayOf(row)}</p>
              )}
              <Row
                row={row}
                {...shown}
                explained={explained.has(row.id)}
                onOpen={() => setOpen(row)}
              />
            </>
          )}
          empty={<NoRows filter={filter} />}
        />
      </div>
      <RowSheets row={open} {...shown} onClose={() => setOpen(null)} />
    </>
  );
}

function NoRows({ filter }: { filter: FlowFilter }) {
  const { t } = useTranslation();
  const filtered = isFiltered(filter);
  const hint = filter.search ? 'emptySearchHint' : filtered ? 'emptyFilterHint' : 'emptyHint';
  return (
    <EmptyState
      picture={<FlowPicture />}
      title={t(filtered ? 'wallet.emptyFilter' : 'wallet.empty')}
      description={t(`wallet.${hint}`)}
    />
  );
}

/** A search looks at a part of the past at a time, and goes on until something is found. */
function useEveryMatch(filter: FlowFilter) {
  const rows = useInfiniteQuery(daysQuery(filter));
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = rows;
  const goesOn = hasNextPage && !isError && data?.pages.every(({ items }) => items.length === 0);
  const read = data?.pages.length;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each page that was read.
  useEffect(() => {
    if (goesOn && !isFetching) void fetchNextPage();
  }, [goesOn, isFetching, fetchNextPage, read]);
  return { ...rows, isPending: rows.isPending || goesOn === true };
}

function dayOf(row: FlowRow): string {
  return formatDate(row.time);
}

/** Kinds whose names are the specification's and say little by themselves. */
const unclear: ReadonlySet<FlowKind> = new Set([
  'system_top_up',
  'manual_withdrawal',
  'ad_serving',
  'ad_billing',
  'system_chargeback',
  'virtual_recharge_deduction',
  'profit_sharing',
]);

/** The rows in which such a kind stands for the first time in the list, by their ids. */
function firstOfKinds(pages: readonly { items: readonly FlowRow[] }[]): Set<string> {
  const first = new Map<FlowKind, string>();
  for (const row of pages.flatMap(({ items }) => items)) {
    const kind = row.billing ? 'ad_billing' : row.line?.kind;
    if (kind && unclear.has(kind) && !first.has(kind)) first.set(kind, row.id);
  }
  return new Set(first.values());
}
