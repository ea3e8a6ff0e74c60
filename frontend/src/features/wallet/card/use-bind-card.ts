import { useQueryClient } from '@tanstack/react-query';
import { call } from '@/api/call';
import { useInvalidatingMutation } from '@/api/queries/use-invalidating-mutation';
import { moneyRefusals } from '@/shared/money/RefusalNotice';
import type { CardToBind } from './bank-card.schema';

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
  return useInvalidatingMutation('bindCard', bind, { onSuccessOnly: true });
}
