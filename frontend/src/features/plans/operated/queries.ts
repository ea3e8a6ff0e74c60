import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { call } from '@/api/call';
import { byCursor } from '@/api/queries/by-cursor';

/** Whom the user follows now, and the history of following. */
export const followsQuery = infiniteQueryOptions({
  queryKey: ['assistance'],
  queryFn: ({ pageParam, signal }) =>
    call('GET', '/assistance/list', { query: { cursor: pageParam }, signal }),
  ...byCursor,
});

export function useFollows() {
  return useInfiniteQuery(followsQuery);
}
