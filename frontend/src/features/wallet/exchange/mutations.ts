import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '@/api/call';
import type { Body } from '@/api/contract/endpoints';
import type { Refusal, Shown } from '@/api/contract/refusal';
import { moneyCall } from '@/api/money-call';
import { askAgain } from '@/api/queries/asked-again';
import { moneyRefusals } from '@/shared/money/RefusalNotice';

export const codeRefusals: Refusal[] = ['acceptance_code_wrong', 'acceptance_code_locked'];

export function useAcceptor() {
  return useMutation({
    mutationFn: (body: Body<'/acceptor/detail'>) =>
      call('POST', '/acceptor/detail', {
        body,
        inline: [...codeRefusals, 'fields', 'network'],
      }),
  });
}

export type ExchangeOrder = Body<'/acceptor/order/put'> & {
  /** The quote and rate that were shown: any other is refused. */
  quote_id: string;
  rate: string;
};

export const exchangeRefusals: Shown[] = [
  ...moneyRefusals,
  ...codeRefusals,
  'quote_expired',
  'acceptor_limit_exceeded',
  'exchange_order_open',
];

export function usePutExchange() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (order: ExchangeOrder) =>
      moneyCall('/acceptor/order/put', order, { inline: exchangeRefusals }),
    onSettled: () => askAgain(client, 'putExchange'),
  });
}

export function useCancelExchange() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      // Cancelling twice is refused, so no key is needed.
      call('POST', '/acceptor/order/cancel', {
        body: { id },
        inline: ['already_decided', 'not_found', 'network'],
      }),
    onSettled: () => askAgain(client, 'cancelExchange'),
  });
}
