import { useMutation, useQueryClient } from '@tanstack/react-query';
import { moneyCall } from '@/api/money-call';
import { askAgain } from '@/api/queries/asked-again';
import { moneyRefusals } from '@/shared/money/RefusalNotice';

export function useSubscribe() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (password: string) =>
      moneyCall('/vip/subscribe', { password }, { inline: moneyRefusals }),
    onSuccess: () => void askAgain(client, 'subscribeVip'),
  });
}
