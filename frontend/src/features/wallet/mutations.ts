import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '@/api/call';
import { moneyCall } from '@/api/money-call';
import { askAgain } from '@/api/queries/asked-again';
import type { BankCard, Deposit, Withdrawal } from '@/api/types';
import { moneyRefusals } from '@/shared/money/RefusalNotice';
import type { CardToBind } from './card/bank-card.schema';

export function useWithdraw() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { amount: string; password: string }) =>
      moneyCall<Withdrawal>('/user/withdraw', body, { inline: moneyRefusals }),
    // After a refusal, the figures shown were old.
    onSettled: () => void askAgain(client, 'withdraw'),
  });
}

/** Takes back one that nobody has approved yet. */
export function useCancelWithdrawal() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      call<Withdrawal>('POST', '/user/withdraw/cancel', {
        body: { id },
        inline: ['already_decided'],
      }),
    onSettled: () => void askAgain(client, 'cancelWithdrawal'),
  });
}

export type MoveDeposit = { direction: 'pay' | 'return'; amount: string; password: string };

export function useDeposit() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ direction, ...body }: MoveDeposit) =>
      moneyCall<Deposit>(`/user/deposit/${direction}`, body, { inline: moneyRefusals }),
    onSettled: () => void askAgain(client, 'moveDeposit'),
  });
}

export function useBindCard() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (card: CardToBind) =>
      call<BankCard>('POST', '/bank_card/edit', {
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

export type NewPassword = { password: string; confirm_password: string; old_password?: string };

export function useSetPassword() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: NewPassword) =>
      call<object>('POST', '/set/password', { body, inline: [...moneyRefusals, 'fields'] }),
    onSuccess: () => askAgain(client, 'setPassword'),
  });
}
