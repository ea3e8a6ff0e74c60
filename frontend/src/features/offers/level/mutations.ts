import { useMutation, useQueryClient } from '@tanstack/react-query';
import { askAgain } from '@/api/asked-again';
import { moneyCall } from '@/api/money-call';
import { moneyRefusals } from '@/shared/money/RefusalNotice';

export function useSubscribe() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (password: string) =>
      moneyCall<{ until: string }>('/vip/subscribe', { password }, { inline: moneyRefusals }),
    onSuccess: () => void askAgain(client, 'subscribeVip'),
  });
}
