import { QueryClient, QueryClientProvider, useInfiniteQuery } from '@tanstack/react-query';
import { act, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { describe, expect, it, vi } from 'vitest';
import { NetworkError } from '@/api/errors';
import { InfiniteList } from './InfiniteList';

type Page = { items: { id: string }[]; next_cursor: string | null };
type Read = (cursor: string | null) => Promise<Page>;

function List({ read, rowHeight }: { read: Read; rowHeight?: `${number}rem` }) {
  const query = useInfiniteQuery({
    queryKey: ['products'],
    queryFn: ({ pageParam }) => read(pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    retry: false,
  });
  return (
    <InfiniteList
      query={query}
      label="Things"
      keyOf={(item) => item.id}
      rowHeight={rowHeight}
      renderItem={(item, before) => `${item.id} after ${before?.id ?? 'nothing'}`}
      empty={<p>Nothing yet</p>}
    />
  );
}

function renderList(read: Read, rowHeight?: `${number}rem`) {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <List read={read} rowHeight={rowHeight} />
    </QueryClientProvider>,
  );
}

const page = (ids: string, next: string | null): Page => ({
  items: ids.split('').map((id) => ({ id })),
  next_cursor: next,
});

const idOf = ({ id }: { id: string }) => id;

const answered = {
  isError: false,
  isFetching: false,
  isFetchingNextPage: false,
  isFetchNextPageError: false,
  hasNextPage: false,
  fetchNextPage: async () => ({ isError: false }),
  refetch: () => {},
};

/** The end lies far below, until it is scrolled to. */
function watchEnd() {
  let top = 5000;
  vi.spyOn(HTMLElement.prototype, 'offsetParent', 'get').mockReturnValue(document.body);
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(
    () => ({ top }) as DOMRect,
  );
  return async () => {
    top = 0;
    // It looks no more often than ten times a second.
    await act(() => new Promise((later) => setTimeout(later, 150)));
    await act(async () => void window.dispatchEvent(new Event('scroll')));
  };
}

describe('InfiniteList', () => {
  it('shows a skeleton, then the items', async () => {
    renderList(async () => page('ab', null));
    expect(screen.getByText('Loading')).toBeInTheDocument();
    expect(await screen.findAllByRole('listitem')).toHaveLength(2);
    expect(screen.getByText('b after a')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull();
  });

  it('draws the items of an answer in pieces, between which a phone reacts', async () => {
    vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false);
    const root = createRoot(document.body.appendChild(document.createElement('div')));
    const draw = (pages?: Page[]) => {
      const query = { ...answered, data: pages && { pages }, isPending: !pages };
      const parts = { label: 'Things', keyOf: idOf, renderItem: idOf, empty: <p>Nothing yet</p> };
      flushSync(() => root.render(<InfiniteList query={query} {...parts} />));
    };
    draw();
    draw([page('ab', null)]);
    expect(screen.getByText('Loading')).toBeInTheDocument();
    expect(await screen.findAllByRole('listitem')).toHaveLength(2);
    draw();
    expect(screen.queryByRole('listitem')).toBeNull();
    root.unmount();
  });

  it('reads on by the cursor when its end comes into view', async () => {
    const reachEnd = watchEnd();
    const read = vi.fn(async (cursor: string | null) =>
      cursor === 'c1' ? page('cd', null) : page('ab', 'c1'),
    );
    renderList(read);
    await screen.findByText('a after nothing');
    await reachEnd();
    expect(await screen.findByText('d after c')).toBeVisible();
    expect(read.mock.calls.map(([cursor]) => cursor)).toEqual([null, 'c1']);
  });

  it('shows an item once that comes on two pages', async () => {
    const read: Read = async (cursor) => (cursor ? page('bc', null) : page('ab', 'c1'));
    renderList(read);
    await userEvent.click(await screen.findByRole('button', { name: 'Load more' }));
    await screen.findByText('c after b');
    expect(screen.getAllByRole('listitem')).toHaveLength(3);
  });

  it('is one list whose rows stand in groups of known height', async () => {
    const ids = 'abcdefghijklmnopqrstuvwxyz';
    renderList(async () => page(ids, null), '4rem');
    const list = await screen.findByRole('list', { name: 'Things' });
    expect(within(list).getAllByRole('listitem')).toHaveLength(26);
    const groups = [...list.children] as HTMLElement[];
    expect(groups.map((group) => group.children.length)).toEqual([20, 6]);
    expect(groups.map((group) => group.getAttribute('style'))).toEqual([
      'contain-intrinsic-height: auto calc(20 * 4rem);',
      'contain-intrinsic-height: auto calc(6 * 4rem);',
    ]);
    expect(screen.getByText('u after t')).toBeVisible();
  });

  it('keeps what it has when reading on fails, and tries again only when asked', async () => {
    const reachEnd = watchEnd();
    let lost = true;
    const read = vi.fn(async (cursor: string | null) => {
      if (cursor && lost) throw new Error('lost');
      return cursor ? page('c', null) : page('ab', 'c1');
    });
    renderList(read);
    await screen.findByText('a after nothing');
    await reachEnd();
    expect(await screen.findByRole('alert')).toHaveTextContent('The rest could not be loaded.');
    expect(screen.getAllByRole('listitem')).toHaveLength(2);
    expect(read).toHaveBeenCalledTimes(2);
    lost = false;
    await userEvent.click(screen.getByRole('button', { name: 'Load more' }));
    expect(await screen.findByText('c after b')).toBeVisible();
  });

  it('says that its button failed as well', async () => {
    let lost = true;
    renderList(async (cursor) => {
      if (cursor && lost) throw new Error('lost');
      return cursor ? page('c', null) : page('ab', 'c1');
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Load more' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('The rest could not be loaded.');
    lost = false;
    await userEvent.click(screen.getByRole('button', { name: 'Load more' }));
    expect(await screen.findByText('c after b')).toBeVisible();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('says what to do when there is nothing', async () => {
    renderList(async () => page('', null));
    expect(await screen.findByText('Nothing yet')).toBeVisible();
  });

  it('says when to ask again what was asked too often', async () => {
    renderList(async () => {
      throw new NetworkError(429, '', '120');
    });
    expect(await screen.findByText(/Please try again in 2 minutes/)).toBeVisible();
  });

  it('offers to reload when the first page fails', async () => {
    let lost = true;
    renderList(async () => {
      if (lost) throw new Error('lost');
      return page('a', null);
    });
    expect(await screen.findByText('Request failed, click to reload')).toBeVisible();
    lost = false;
    await userEvent.click(screen.getByRole('button', { name: 'Reload' }));
    expect(await screen.findByText('a after nothing')).toBeVisible();
  });

  it('holds what is being read in its place when rows arrive above it', async () => {
    const height = 100;
    const scrolled = 150;
    const scrollBy = vi.fn();
    vi.stubGlobal('scrollBy', scrollBy);
    vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(function (
      this: HTMLElement,
    ) {
      const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')];
      return { top: Math.max(0, rows.indexOf(this)) * height - scrolled } as DOMRect;
    });
    let ids = 'abc';
    const client = new QueryClient();
    render(
      <QueryClientProvider client={client}>
        <List read={async () => page(ids, null)} />
      </QueryClientProvider>,
    );
    await screen.findByText('a after nothing');
    ids = 'xyabcd';
    await act(() => client.refetchQueries());
    expect(await screen.findByText('x after nothing')).toBeVisible();
    expect(scrollBy).toHaveBeenCalledExactlyOnceWith(0, 2 * height);
  });
});
