import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { call } from '../call';

export const productsQuery = infiniteQueryOptions({
  queryKey: ['products'],
  queryFn: ({ pageParam, signal }) =>
    call('GET', '/products', { query: { cursor: pageParam }, signal }),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.next_cursor,
});

/** The products that budget can be put on. */
export function useProducts(enabled = true) {
  return useInfiniteQuery({ ...productsQuery, enabled });
}
