import { call } from '@/api/call';
import type { Body } from '@/api/contract/endpoints';
import { useInvalidatingMutation } from '@/api/queries/use-invalidating-mutation';
import { moneyRefusals } from '@/shared/money/RefusalNotice';

export function useSetPassword() {
  const set = (body: Body<'/set/password'>) =>
    call('POST', '/set/password', { body, inline: [...moneyRefusals, 'fields'] });
  return useInvalidatingMutation('setPassword', set, { awaitRefetch: true, onSuccessOnly: true });
}
