import {
  infiniteQueryOptions,
  queryOptions,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query';
import { call } from '@/api/call';
import { byCursor } from '@/api/queries/by-cursor';
import { currentLanguage } from '@/i18n/texts';

/** Names, benefits and reasons are in the reader's language. */
export function levelQuery() {
  return queryOptions({
    queryKey: ['level', currentLanguage()],
    queryFn: ({ signal }) => call('GET', '/level', { signal }),
  });
}

export function useLevel() {
  return useQuery(levelQuery());
}

export function creditQuery() {
  return infiniteQueryOptions({
    queryKey: ['credit', currentLanguage()],
    queryFn: ({ pageParam, signal }) =>
      call('GET', '/level/credit', { query: { cursor: pageParam }, signal }),
    ...byCursor,
  });
}

export function useCreditHistory() {
  return useInfiniteQuery(creditQuery());
}
