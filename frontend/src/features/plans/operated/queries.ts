import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { call } from '@/api/call';

/** Whom the user follows now, and the history of following. */
export const followsQuery = infiniteQueryOptions({
  queryKey: ['assistance'],
  queryFn: ({ pageParam, signal }) =>
    call('GET', '/assistance/list', { query: { cursor: pageParam }, signal }),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.next_cursor,
});

export function useFollows() {
  return useInfiniteQuery(followsQuery);
}
