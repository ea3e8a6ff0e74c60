import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FlowRow } from '@/api/types';
import { Button } from '@/ui/controls/Button';
import { Card } from '@/ui/display/Card';
import { Skeleton } from '@/ui/feedback/Skeleton';
import { useWide } from '@/ui/use-wide';
import { everyRow, isFiltered } from './filters/flow-filter';
import { useFlowFilter } from './filters/use-flow-filter';
import styles from './Latest.module.css';
import { daysQuery } from './queries';
import { Row } from './rows/Row';
import { RowSheets } from './rows/RowSheets';

const few = 3;

type Props = { hidden: boolean; onAll: () => void };

/**
 * The latest movements. On a phone, the whole list is far below. A desktop has the list beside it,
 * and a user with a filter is at the list already.
 */
export function Latest(props: Props) {
  const [filter] = useFlowFilter();
  const wide = useWide();
  return wide || isFiltered(filter) ? null : <LatestCard {...props} />;
}

function LatestCard({ hidden, onAll }: Props) {
  const { t } = useTranslation();
  const [open, setOpen] = useState<FlowRow | null>(null);
  // The first page of all rows, which the list below reads as well.
  const rows = useInfiniteQuery(daysQuery(everyRow));
  if (rows.isPending) {
    // As tall as the rows on a phone: elements below must not move while a finger is about to press
    // them.
    return (
      <Card title={t('wallet.latest')}>
        <Skeleton height="17.625rem" />
      </Card>
    );
  }
  const latest = rows.data?.pages[0]?.items.slice(0, few) ?? [];
  if (latest.length === 0) return null;
  return (
    <Card
      title={t('wallet.latest')}
      aside={
        <Button size="small" variant="quiet" onClick={onAll}>
          {t('wallet.latestAll')}
        </Button>
      }
    >
      <ul className={styles.list} aria-label={t('wallet.latest')}>
        {latest.map((row) => (
          <li key={row.id}>
            <Row row={row} hidden={hidden} explained={false} onOpen={() => setOpen(row)} />
          </li>
        ))}
      </ul>
      <RowSheets row={open} hidden={hidden} onClose={() => setOpen(null)} />
    </Card>
  );
}
