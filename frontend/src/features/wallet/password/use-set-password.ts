import { call } from '@/api/call';
import type { Body } from '@/api/contract/endpoints';
import { useChange } from '@/api/queries/use-change';
import { moneyRefusals } from '@/shared/money/RefusalNotice';

export function useSetPassword() {
  const set = (body: Body<'/set/password'>) =>
    call('POST', '/set/password', { body, inline: [...moneyRefusals, 'fields'] });
  return useChange('setPassword', set, { waits: true, onlyDone: true });
}
