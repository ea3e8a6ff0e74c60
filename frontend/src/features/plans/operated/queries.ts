import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '@/api/call';
import type { Following, FollowPage } from '@/api/types';

const key = ['assistance'];

/** Whom one follows now, and the records of all that one has followed. */
export function useFollows() {
  return useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) =>
      call<FollowPage>('GET', '/assistance/list', { query: { cursor: pageParam }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });
}

export function useFollow() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (operatedId: string) =>
      call<{ current: Following }>('POST', '/assistance/follow', {
        body: { operated_id: operatedId },
        inline: ['follow_id_invalid', 'fields', 'network'],
      }),
    onSuccess: () => client.invalidateQueries({ queryKey: key }),
  });
}
