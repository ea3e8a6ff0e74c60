import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '@/api/call';
import type { Body } from '@/api/contract/endpoints';
import { moneyCall } from '@/api/money-call';
import { askAgain } from '@/api/queries/asked-again';
import { moneyRefusals } from '@/shared/money/RefusalNotice';

/** Nothing moves: staff credit what the bank reports. */
export function useAnnounce() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Body<'/user/recharge/announce'>) =>
      moneyCall('/user/recharge/announce', body, { inline: moneyRefusals }),
    // After a refusal, the accounts or the announcements shown were old.
    onSettled: () => askAgain(client, 'announcePayment'),
  });
}

export function useWithdrawAnnouncement() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      call('POST', '/user/recharge/announce/cancel', {
        body: { id },
        inline: ['already_decided'],
      }),
    onSettled: () => askAgain(client, 'announcePayment'),
  });
}
