import { useQueryClient } from '@tanstack/react-query';
import { call } from '@/api/call';
import type { Body } from '@/api/contract/endpoints';
import { useChange } from '@/api/queries/use-change';
import { moneyRefusals } from '@/shared/money/RefusalNotice';
import type { CardToBind } from './card/bank-card.schema';

export function useBindCard() {
  const client = useQueryClient();
  const bind = async (body: CardToBind) => {
    const card = await call('POST', '/bank_card/edit', {
      body,
      inline: [...moneyRefusals, 'fields'],
    });
    // Known at once; asked for again all the same.
    client.setQueryData(['bank-card'], card);
  };
  return useChange('bindCard', bind, { onlyDone: true });
}

export function useSetPassword() {
  const set = (body: Body<'/set/password'>) =>
    call('POST', '/set/password', { body, inline: [...moneyRefusals, 'fields'] });
  return useChange('setPassword', set, { waits: true, onlyDone: true });
}
