import { call } from '@/api/call';
import type { Body } from '@/api/contract/endpoints';
import type { Shown } from '@/api/contract/refusal';
import { useInvalidatingMutation } from '@/api/queries/use-invalidating-mutation';
import { moneyRefusals } from '@/shared/money/RefusalNotice';

/** The page says them at the step that each is of. */
const inline: Shown[] = [...moneyRefusals, 'old_password_wrong', 'fields'];

export function useSetPassword() {
  const set = (body: Body<'/set/password'>) => call('POST', '/set/password', { body, inline });
  return useInvalidatingMutation('setPassword', set, { awaitRefetch: true, onSuccessOnly: true });
}
