import { useMutation, useQueryClient } from '@tanstack/react-query';
import { moneyCall } from '@/api/money-call';
import { moneyRefusals } from '@/shared/money/RefusalNotice';

export function useSubscribe() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (password: string) =>
      moneyCall<{ until: string }>('/vip/subscribe', { password }, { inline: moneyRefusals }),
    onSuccess: () => {
      for (const key of ['user-info', 'property', 'flow', 'quote']) {
        void client.invalidateQueries({ queryKey: [key] });
      }
    },
  });
}
