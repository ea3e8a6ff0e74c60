import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '@/api/call';
import type { Following } from '@/api/types';
import { followsQuery } from './queries';

export function useFollow() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (operatedId: string) =>
      call<{ current: Following }>('POST', '/assistance/follow', {
        body: { operated_id: operatedId },
        inline: ['follow_id_invalid', 'fields', 'network'],
      }),
    onSuccess: () => client.invalidateQueries({ queryKey: followsQuery.queryKey }),
  });
}
