import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '@/api/call';
import type { Body } from '@/api/contract/endpoints';
import { moneyCall } from '@/api/money-call';
import { askAgain } from '@/api/queries/asked-again';
import { moneyRefusals } from '@/shared/money/RefusalNotice';
import type { CardToBind } from './card/bank-card.schema';

export function useWithdraw() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Body<'/user/withdraw'>) =>
      moneyCall('/user/withdraw', body, { inline: moneyRefusals }),
    // After a refusal, the figures shown were old.
    onSettled: () => void askAgain(client, 'withdraw'),
  });
}

/** Takes back one that nobody has approved yet. */
export function useCancelWithdrawal() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      call('POST', '/user/withdraw/cancel', {
        body: { id },
        inline: ['already_decided'],
      }),
    onSettled: () => void askAgain(client, 'cancelWithdrawal'),
  });
}

export type MoveDeposit = Body<'/user/deposit/pay'> & { direction: 'pay' | 'return' };

export function useDeposit() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ direction, ...body }: MoveDeposit) =>
      moneyCall(`/user/deposit/${direction}`, body, { inline: moneyRefusals }),
    onSettled: () => void askAgain(client, 'moveDeposit'),
  });
}

export function useBindCard() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (card: CardToBind) =>
      call('POST', '/bank_card/edit', {
        body: card,
        inline: [...moneyRefusals, 'fields'],
      }),
    onSuccess: (card) => {
      // Known at once; asked for again all the same.
      client.setQueryData(['bank-card'], card);
      void askAgain(client, 'bindCard');
    },
  });
}

export function useSetPassword() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Body<'/set/password'>) =>
      call('POST', '/set/password', { body, inline: [...moneyRefusals, 'fields'] }),
    onSuccess: () => askAgain(client, 'setPassword'),
  });
}
