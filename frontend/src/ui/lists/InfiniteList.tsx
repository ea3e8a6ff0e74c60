import { type Key, type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/ui/controls/Button';
import { ErrorState } from '@/ui/feedback/ErrorState';
import { OfflinePicture } from '@/ui/illustrations/OfflinePicture';
import styles from './InfiniteList.module.css';
import { ListSkeleton } from './ListSkeleton';
import { useSteadyRows } from './use-steady-rows';

/** The part of react-query's infinite query that a list needs. */
type Pages<T> = {
  data: { pages: { items: T[] }[] } | undefined;
  isPending: boolean;
  isError: boolean;
  isFetching: boolean;
  isFetchingNextPage: boolean;
  hasNextPage: boolean;
  fetchNextPage: () => unknown;
  refetch: () => unknown;
};

type Props<T> = {
  query: Pages<T>;
  label: string;
  keyOf: (item: T) => Key;
  renderItem: (item: T, before: T | undefined) => ReactNode;
  empty: ReactNode;
  skeleton?: ReactNode;
  /** Rows touch each other, or stand apart as cards. */
  spaced?: boolean;
};

/** A list that reads on as its end comes into view, or when its button is pressed. */
export function InfiniteList<T>({
  query,
  label,
  keyOf,
  renderItem,
  empty,
  skeleton = <ListSkeleton />,
  spaced = false,
}: Props<T>) {
  const list = useRef<HTMLUListElement>(null);
  useSteadyRows(list);
  if (query.isPending) return skeleton;
  if (!query.data) {
    return (
      <ErrorState
        picture={navigator.onLine ? undefined : <OfflinePicture />}
        onRetry={query.refetch}
        retrying={query.isFetching}
      />
    );
  }

  // An offer that moved between two pages while they were read would otherwise come twice.
  const items = [
    ...new Map(query.data.pages.flatMap((page) => page.items).map((one) => [keyOf(one), one])),
  ];
  if (!items.length) return empty;
  return (
    <>
      <ul ref={list} className={spaced ? styles.spaced : undefined} aria-label={label}>
        {items.map(([key, item], at) => (
          // By its row, who comes back finds what was opened: app/history/return-to.ts.
          <li key={key} data-row={key}>
            {renderItem(item, items[at - 1]?.[1])}
          </li>
        ))}
      </ul>
      {query.hasNextPage && <More query={query} />}
    </>
  );
}

function More<T>({ query }: { query: Pages<T> }) {
  const { t } = useTranslation();
  const sentinel = useRef<HTMLDivElement>(null);
  const { isFetchingNextPage, isError, fetchNextPage } = query;

  useEffect(() => {
    // After a failure only the button asks again, or a lost connection would be hammered.
    if (isFetchingNextPage || isError || !sentinel.current || !('IntersectionObserver' in window)) {
      return;
    }
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) fetchNextPage();
      },
      { rootMargin: '300px' },
    );
    observer.observe(sentinel.current);
    return () => observer.disconnect();
  }, [isFetchingNextPage, isError, fetchNextPage]);

  return (
    <div ref={sentinel} className={styles.more}>
      {isError && <p role="alert">{t('ui.moreFailed')}</p>}
      <Button
        variant="secondary"
        size="small"
        loading={isFetchingNextPage}
        onClick={() => fetchNextPage()}
      >
        {t('ui.loadMore')}
      </Button>
    </div>
  );
}
