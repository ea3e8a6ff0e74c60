import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { call } from '../call';
import { byCursor } from './by-cursor';

export const productsQuery = infiniteQueryOptions({
  queryKey: ['products'],
  queryFn: ({ pageParam, signal }) =>
    call('GET', '/products', { query: { cursor: pageParam }, signal }),
  ...byCursor,
});

/** The products that budget can be put on. */
export function useProducts(enabled = true) {
  return useInfiniteQuery({ ...productsQuery, enabled });
}
