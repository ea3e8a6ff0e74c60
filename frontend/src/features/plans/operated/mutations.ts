import { call } from '@/api/call';
import type { Shown } from '@/api/contract/refusal';
import { useInvalidatingMutation } from '@/api/queries/use-invalidating-mutation';

const shownAtField: Shown[] = ['follow_id_invalid', 'fields', 'network'];

/** Whom an ID belongs to, before anything is confirmed. */
export function checkFollowable(operatedId: string) {
  return call('GET', '/assistance/check', {
    query: { operated_id: operatedId },
    inline: shownAtField,
  });
}

export function useFollow() {
  const follow = (operated_id: string) =>
    call('POST', '/assistance/follow', { body: { operated_id }, inline: shownAtField });
  return useInvalidatingMutation('follow', follow, { awaitRefetch: true, onSuccessOnly: true });
}
