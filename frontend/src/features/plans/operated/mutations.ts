import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '@/api/call';
import { askAgain } from '@/api/queries/asked-again';
import type { Followable, Following } from '@/api/types';

const shownAtField = ['follow_id_invalid', 'fields', 'network'];

/** Whom an ID belongs to, before anything is confirmed. */
export function checkFollowable(operatedId: string) {
  return call<Followable>('GET', '/assistance/check', {
    query: { operated_id: operatedId },
    inline: shownAtField,
  });
}

export function useFollow() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (operatedId: string) =>
      call<{ current: Following }>('POST', '/assistance/follow', {
        body: { operated_id: operatedId },
        inline: shownAtField,
      }),
    onSuccess: () => askAgain(client, 'follow'),
  });
}
