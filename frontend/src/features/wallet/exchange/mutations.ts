import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '@/api/call';
import { moneyCall } from '@/api/money-call';
import { askAgain } from '@/api/queries/asked-again';
import type { AcceptorDetail, AcceptorOrder, AcceptorType } from '@/api/types';
import { moneyRefusals } from '@/shared/money/RefusalNotice';

export const codeRefusals = ['acceptance_code_wrong', 'acceptance_code_locked'];

export function useAcceptor() {
  return useMutation({
    mutationFn: (body: { type: AcceptorType; code: string }) =>
      call<AcceptorDetail>('POST', '/acceptor/detail', {
        body,
        inline: [...codeRefusals, 'fields', 'network'],
      }),
  });
}

export type ExchangeOrder = {
  acceptor_id: string;
  code: string;
  amount: string;
  currency: string;
  /** The quote and rate that were shown: any other is refused. */
  quote_id: string;
  rate: string;
  password: string;
};

export const exchangeRefusals = [
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
      moneyCall<AcceptorOrder>('/acceptor/order/put', order, { inline: exchangeRefusals }),
    onSettled: () => askAgain(client, 'putExchange'),
  });
}

export function useCancelExchange() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      // Cancelling twice is refused, so no key is needed.
      call<AcceptorOrder>('POST', '/acceptor/order/cancel', {
        body: { id },
        inline: ['already_decided', 'not_found', 'network'],
      }),
    onSettled: () => askAgain(client, 'cancelExchange'),
  });
}
