import { useInfiniteQuery } from '@tanstack/react-query';
import { listQuery } from '@/api/queries/read';

/** The user whom this user follows now, and the history of following. */
export const followsQuery = listQuery(['assistance'], '/assistance/list');

export function useFollows() {
  return useInfiniteQuery(followsQuery);
}
