import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '@/api/call';
import { moneyCall } from '@/api/money-call';
import type { CreditChange, Level, Page } from '@/api/types';
import { moneyRefusals } from '@/shared/money/RefusalNotice';

/** Names, benefits and reasons come in the reader's language. */
export function useLevel() {
  const { i18n } = useTranslation();
  return useQuery({
    queryKey: ['level', i18n.language],
    queryFn: ({ signal }) => call<Level>('GET', '/level', { signal }),
  });
}

export function useCreditHistory() {
  const { i18n } = useTranslation();
  return useInfiniteQuery({
    queryKey: ['credit', i18n.language],
    queryFn: ({ pageParam, signal }) =>
      call<Page<CreditChange>>('GET', '/level/credit', { query: { cursor: pageParam }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });
}

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
