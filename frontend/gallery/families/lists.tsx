import type { ComponentProps } from 'react';
import { Card } from '@/ui/display/Card';
import { EmptyState } from '@/ui/feedback/EmptyState';
import { InfiniteList } from '@/ui/lists/InfiniteList';
import { PullToRefresh } from '@/ui/lists/PullToRefresh';
import { Timeline } from '@/ui/lists/Timeline';
import type { Entry } from '../entry';
import { long, nothing } from '../samples';

type Query = ComponentProps<typeof InfiniteList<string>>['query'];

const idle: Query = {
  data: undefined,
  isPending: false,
  isError: false,
  isFetching: false,
  isFetchingNextPage: false,
  isFetchNextPageError: false,
  // A list fetches more when its end comes into view, so only the states that show this have more.
  hasNextPage: false,
  // Never resolves, so that a state stays as it is.
  fetchNextPage: () => new Promise(nothing),
  refetch: nothing,
};

const items = (...given: string[]) => ({ pages: [{ items: given }] });

function List(query: Partial<Query>) {
  return (
    <InfiniteList
      query={{ ...idle, ...query }}
      label="Plans"
      keyOf={(name) => name}
      renderItem={(name) => <Card>{name}</Card>}
      empty={<EmptyState title="No plans yet" />}
      spaced
    />
  );
}

function Table(query: Partial<Query>) {
  return (
    <InfiniteList
      query={{ ...idle, ...query }}
      label="Plans in a table"
      keyOf={(name) => name}
      head={
        <>
          <th scope="col">Product</th>
          <th scope="col">Letters</th>
        </>
      }
      renderItem={(name) => (
        <>
          <th scope="row">{name}</th>
          <td>{name.length}</td>
        </>
      )}
      empty={<EmptyState title="No plans yet" />}
    />
  );
}

function Page(given: { asOf?: number | null; onRefresh: () => Promise<unknown> }) {
  return (
    <PullToRefresh asOf={Date.now()} {...given}>
      <Card>Pull me down, or press the line above.</Card>
    </PullToRefresh>
  );
}

export const lists: readonly Entry[] = [
  {
    component: 'Timeline',
    states: {
      plain: () => (
        <Timeline
          label="History"
          steps={['Putting', 'Matching', 'Waiting to be put'].map((content) => ({
            key: content,
            content,
          }))}
        />
      ),
      'long text': () => <Timeline label="History" steps={[{ key: 'a', content: long }]} />,
    },
  },
  {
    component: 'InfiniteList',
    states: {
      filled: () => <List data={items('Aurora Coffee', 'Northwind')} />,
      loading: () => <List isPending isFetching />,
      empty: () => <List data={items()} />,
      error: () => <List isError />,
      'more being read': () => (
        <List data={items('Aurora Coffee')} hasNextPage isFetching isFetchingNextPage />
      ),
      'more failed': () => (
        <List
          data={items('Aurora Coffee')}
          hasNextPage
          isError
          fetchNextPage={async () => ({ isError: true })}
        />
      ),
      'long text': () => <List data={items(long)} />,
      'as a table': () => <Table data={items('Aurora Coffee', 'Northwind')} />,
      'as a table that loads': () => <Table isPending isFetching />,
    },
  },
  {
    component: 'PullToRefresh',
    states: {
      plain: () => <Page onRefresh={async () => {}} />,
      'nothing read yet': () => <Page asOf={null} onRefresh={async () => {}} />,
      'of another day': () => <Page asOf={0} onRefresh={async () => {}} />,
      'refreshing for ever': () => <Page onRefresh={() => new Promise(nothing)} />,
      failing: () => <Page onRefresh={() => Promise.reject(new Error('lost'))} />,
    },
  },
];
