import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '@/api/call';
import { moneyCall } from '@/api/money-call';
import type { CreditChange, Level, Page } from '@/api/types';
import { moneyRefusals } from '@/app/RefusalNotice';
import { currentLanguage } from '@/i18n/texts';

/** Names, benefits and reasons come in the reader's language. */
export function useLevel() {
  return useQuery({
    queryKey: ['level', currentLanguage()],
    queryFn: ({ signal }) => call<Level>('GET', '/level', { signal }),
  });
}

export function useCreditHistory() {
  return useInfiniteQuery({
    queryKey: ['credit', currentLanguage()],
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
