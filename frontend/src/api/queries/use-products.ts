import { useInfiniteQuery } from '@tanstack/react-query';
import { listQuery } from './read';

export const productsQuery = listQuery(['products'], '/products');

/** The products that budget can be put on. */
export function useProducts(enabled = true) {
  return useInfiniteQuery({ ...productsQuery, enabled });
}
