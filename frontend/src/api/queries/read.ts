import { infiniteQueryOptions, type QueryKey, queryOptions } from '@tanstack/react-query';
import { type CallOptions, call } from '../call';
import type { Answer, Method, Path, Query, WithOptions } from '../contract/endpoints';

type Own = Pick<CallOptions, 'inline'>;

/** The query for what an endpoint answers. */
export function readQuery<K extends QueryKey, M extends Method, const P extends Path<M>>(
  queryKey: K,
  method: M,
  path: P,
  ...[options]: WithOptions<M, P, Own>
) {
  return queryOptions({
    queryKey,
    queryFn: ({ signal }) => ask<Answer<M, P>>(method, path, { ...options, signal }),
  });
}

/** An answer that comes page by page. */
type Paged = { next_cursor: string | null };
type ListPath = {
  [P in Path<'GET'>]: Answer<'GET', P> extends Paged ? P : never;
}[Path<'GET'>];
type PageOf<P extends ListPath> = Answer<'GET', P> & Paged;

/** The query for a list that is read page by page. */
export function listQuery<K extends QueryKey, const P extends ListPath>(
  queryKey: K,
  path: P,
  { query, ...own }: Own & { query?: Omit<Query<'GET', P>, 'cursor'> } = {},
) {
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam: cursor, signal }) =>
      ask<PageOf<P>>('GET', path, { query: { ...query, cursor }, ...own, signal }),
    ...byCursor,
  });
}

/** For the options of another infinite query. */
export const byCursor = {
  initialPageParam: null as string | null,
  getNextPageParam: (page: Paged) => page.next_cursor,
};

/** A call whose endpoint was checked where it was named. */
const ask = call as <T>(method: Method, path: string, options: object) => Promise<T>;
