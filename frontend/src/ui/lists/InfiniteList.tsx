import { type Key, type ReactNode, useDeferredValue, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import VantList from 'react-vant/es/list/List.js';
import { Button } from '@/ui/controls/Button';
import { ErrorState } from '@/ui/feedback/ErrorState';
import { OfflinePicture } from '@/ui/illustrations/OfflinePicture';
import styles from './InfiniteList.module.css';
import { ListSkeleton } from './ListSkeleton';
import { useScrollAnchoring } from './use-scroll-anchoring';

/** The part of react-query's infinite query that a list needs. */
type Pages<T> = {
  data: { pages: { items: T[] }[] } | undefined;
  isPending: boolean;
  isError: boolean;
  error?: unknown;
  isFetching: boolean;
  isFetchingNextPage: boolean;
  isFetchNextPageError: boolean;
  hasNextPage: boolean;
  fetchNextPage: () => Promise<{ isError: boolean }>;
  refetch: () => unknown;
};

type Props<T> = {
  query: Pages<T>;
  label: string;
  keyOf: (item: T) => Key;
  /** The content of an item's row; in a table, its cells. */
  renderItem: (item: T, before: T | undefined) => ReactNode;
  /** The cells above a table's, where there is room for one. They stay while its rows are read. */
  head?: ReactNode;
  empty: ReactNode;
  skeleton?: ReactNode;
  /** Rows touch each other, or stand apart as cards. */
  spaced?: boolean;
  /** How high a row usually is, with what is between two. Rows out of sight are then not laid out. */
  rowHeight?: `${number}rem`;
};

/** A list that reads on as its end comes into view, or when its button is pressed. */
export function InfiniteList<T>({
  query,
  label,
  keyOf,
  renderItem,
  head,
  empty,
  skeleton = <ListSkeleton />,
  spaced = false,
  rowHeight,
}: Props<T>) {
  const { t } = useTranslation();
  const list = useRef<HTMLElement>(null);
  const keep = (element: HTMLElement | null) => {
    list.current = element;
  };
  useScrollAnchoring(list);
  // React Query has an answer drawn at one go, and meanwhile a phone reacts to nothing. So its rows
  // are drawn in pieces, after the rest of the page.
  const drawn = useDeferredValue(query.data);
  const data = query.data && drawn;
  const isPending = query.isPending || (query.data !== undefined && !drawn);
  if (isPending && !head) return skeleton;
  if (!isPending && !data) {
    return (
      <ErrorState
        picture={navigator.onLine ? undefined : <OfflinePicture />}
        error={query.error}
        onRetry={query.refetch}
        retrying={query.isFetching}
      />
    );
  }

  // An offer that moved between two pages while they were read would otherwise come twice.
  const items = [
    ...new Map((data?.pages ?? []).flatMap((page) => page.items).map((one) => [keyOf(one), one])),
  ];
  if (data && !items.length) return empty;
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query;
  const more = (onMore: () => unknown) => (
    <Button variant="secondary" size="small" loading={isFetchingNextPage} onClick={onMore}>
      {t('ui.loadMore')}
    </Button>
  );
  const moreAgain = (onMore: () => unknown) => (
    <div className={styles.failed}>
      <p role="alert">{t('ui.moreFailed')}</p>
      {more(onMore)}
    </div>
  );
  const Row = head ? 'tr' : 'div';
  const rows = items.map(([key, item], at) => (
    // The key of the row leads users who come back to what they opened: app/history/return-to.ts.
    <Row key={key} role={head ? undefined : 'listitem'} data-row={key}>
      {renderItem(item, items[at - 1]?.[1])}
    </Row>
  ));
  const Group = head ? 'tbody' : 'div';
  const groups = (rowHeight ? inGroups(rows) : [rows]).map((group, at) => (
    <Group
      // A group is its place, whichever rows are in it.
      key={at}
      className={rowHeight && styles.group}
      style={rowHeight && { containIntrinsicHeight: `auto calc(${group.length} * ${rowHeight})` }}
    >
      {group}
    </Group>
  ));
  return (
    <VantList
      className={styles.list}
      finished={!hasNextPage}
      onLoad={() => readOn(fetchNextPage)}
      // The button is for who comes by keys, or has lost the connection.
      loadingText={isFetchNextPageError ? moreAgain(fetchNextPage) : more(fetchNextPage)}
      errorText={moreAgain}
    >
      {head ? (
        <>
          <table ref={keep} aria-label={label} aria-busy={isPending}>
            <thead>
              <tr>{head}</tr>
            </thead>
            {groups}
          </table>
          {isPending && skeleton}
        </>
      ) : (
        // biome-ignore lint/a11y/useSemanticElements: in a `ul`, a row could not stand in a group.
        <div
          ref={keep}
          role="list"
          className={spaced ? styles.spaced : undefined}
          aria-label={label}
        >
          {groups}
        </div>
      )}
    </VantList>
  );
}

/** The browser looks at each group whenever it draws, which takes long for each row of a thousand. */
const groupSize = 20;

function inGroups<T>(rows: T[]): T[][] {
  const groups = Math.ceil(rows.length / groupSize);
  return Array.from({ length: groups }, (_, at) =>
    rows.slice(at * groupSize, (at + 1) * groupSize),
  );
}

/** After a failure react-vant asks again only by the button, or a lost connection would be hammered. */
async function readOn(fetchNextPage: Pages<unknown>['fetchNextPage']) {
  const { isError } = await fetchNextPage();
  if (isError) throw new Error('the next page could not be read');
}
