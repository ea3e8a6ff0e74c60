import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { call } from '@/api/call';
import { byCursor } from '@/api/queries/by-cursor';
import type { CouponStatus } from '@/api/types';

export const couponStatuses = ['unused', 'used', 'expired'] as const satisfies CouponStatus[];

/** The status in the list's address. */
export function couponStatusOf(search: URLSearchParams): CouponStatus {
  return couponStatuses.find((one) => one === search.get('tab')) ?? 'unused';
}

export function couponsQuery(status: CouponStatus) {
  return infiniteQueryOptions({
    queryKey: ['coupons', status],
    queryFn: ({ pageParam, signal }) =>
      call('GET', '/user_coupon/list', {
        query: { status, cursor: pageParam },
        signal,
      }),
    ...byCursor,
  });
}

export function useCoupons(status: CouponStatus) {
  return useInfiniteQuery(couponsQuery(status));
}
