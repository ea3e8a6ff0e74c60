import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '@/api/call';
import { moneyCall } from '@/api/money-call';
import type { AcceptorDetail, AcceptorOrder, AcceptorType } from '@/api/types';
import { moneyRefusals } from '@/shared/money/RefusalNotice';

/** Resolves once the figures are current, so that a form never uses old ones. */
function refreshMoney(client: QueryClient) {
  const keys = ['exchanges', 'property', 'flow'];
  return Promise.all(keys.map((key) => client.invalidateQueries({ queryKey: [key] })));
}

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
    onSettled: () => refreshMoney(client),
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
    onSettled: () => refreshMoney(client),
  });
}
