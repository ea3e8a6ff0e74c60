import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '@/api/call';
import type { Activity, Coupon, CouponStatus, Page } from '@/api/types';

export const couponStatuses = ['unused', 'used', 'expired'] as const satisfies CouponStatus[];

export function useCoupons(status: CouponStatus) {
  return useInfiniteQuery({
    queryKey: ['coupons', status],
    queryFn: ({ pageParam, signal }) =>
      call<Page<Coupon>>('GET', '/user_coupon/list', {
        query: { status, cursor: pageParam },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });
}

/** Titles and rules come in the reader's language. */
export function useActivities() {
  const { i18n } = useTranslation();
  return useQuery({
    queryKey: ['activities', i18n.language],
    queryFn: ({ signal }) => call<Activity[]>('GET', '/activities', { signal }),
  });
}

/** For the `inline` option: the activity shows them in its own place. */
export const receiveRefusals = [
  'coupon_already_received',
  'coupon_daily_limit',
  'store_not_opened',
  'not_found',
  'network',
];

export function useReceive(activity: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () =>
      call<Coupon>('POST', '/user_coupon/receive', {
        body: { activity },
        inline: receiveRefusals,
      }),
    // After a refusal, too: another device may have received it meanwhile.
    onSettled: () => {
      void client.invalidateQueries({ queryKey: ['activities'] });
      void client.invalidateQueries({ queryKey: ['coupons'] });
    },
  });
}
