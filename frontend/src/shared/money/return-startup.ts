import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Body } from '@/api/contract/endpoints';
import { moneyCall } from '@/api/money-call';
import { askAgain } from '@/api/queries/asked-again';
import { moneyRefusals } from './RefusalNotice';

export function useReturnStartup() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Body<'/user/startup/return'>) =>
      moneyCall('/user/startup/return', body, { inline: moneyRefusals }),
    // After a refusal, the figures shown were old.
    onSettled: () => void askAgain(client, 'returnStartup'),
  });
}
