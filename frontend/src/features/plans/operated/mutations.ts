import { useMutation, useQueryClient } from '@tanstack/react-query';
import { askAgain } from '@/api/asked-again';
import { call } from '@/api/call';
import type { Following } from '@/api/types';

export function useFollow() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (operatedId: string) =>
      call<{ current: Following }>('POST', '/assistance/follow', {
        body: { operated_id: operatedId },
        inline: ['follow_id_invalid', 'fields', 'network'],
      }),
    onSuccess: () => askAgain(client, 'follow'),
  });
}
