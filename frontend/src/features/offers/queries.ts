import { listQuery } from '@/api/queries/read';
import type { CouponStatus } from '@/api/types';

export const couponStatuses = ['unused', 'used', 'expired'] as const satisfies CouponStatus[];

/** The status in the list's address. */
export function couponStatusOf(search: URLSearchParams): CouponStatus {
  return couponStatuses.find((one) => one === search.get('tab')) ?? 'unused';
}

export function couponsQuery(status: CouponStatus) {
  return listQuery(['coupons', status], '/user_coupon/list', { query: { status } });
}
