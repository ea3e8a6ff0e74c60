import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '@/api/call';
import type { Shown } from '@/api/contract/refusal';
import { askAgain } from '@/api/queries/asked-again';

const shownAtField: Shown[] = ['follow_id_invalid', 'fields', 'network'];

/** Whom an ID belongs to, before anything is confirmed. */
export function checkFollowable(operatedId: string) {
  return call('GET', '/assistance/check', {
    query: { operated_id: operatedId },
    inline: shownAtField,
  });
}

export function useFollow() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (operatedId: string) =>
      call('POST', '/assistance/follow', {
        body: { operated_id: operatedId },
        inline: shownAtField,
      }),
    onSuccess: () => askAgain(client, 'follow'),
  });
}
