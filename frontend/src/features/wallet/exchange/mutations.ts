import { useMutation } from '@tanstack/react-query';
import { call } from '@/api/call';
import type { Body } from '@/api/contract/endpoints';
import type { Refusal } from '@/api/contract/refusal';
import { useInvalidatingMutation } from '@/api/queries/use-invalidating-mutation';
import { usePayment } from '@/shared/money/use-payment';

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

export function usePutExchange() {
  return usePayment(
    '/acceptor/order/put',
    ...codeRefusals,
    'quote_expired',
    'acceptor_limit_exceeded',
    'exchange_order_open',
  );
}

/** Cancelling twice is refused, so no key is needed. By then the order may be gone from the page: the app says why. */
export function useCancelExchange() {
  const cancel = (id: string) =>
    call('POST', '/acceptor/order/cancel', { body: { id }, inline: ['network'] });
  return useInvalidatingMutation('cancelExchange', cancel, { awaitRefetch: true });
}
