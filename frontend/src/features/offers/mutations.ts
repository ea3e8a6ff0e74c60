import { call } from '@/api/call';
import type { Shown } from '@/api/contract/refusal';
import { useInvalidatingMutation } from '@/api/queries/use-invalidating-mutation';

/** The activity shows them in its own place. */
const inline: Shown[] = [
  'coupon_already_received',
  'coupon_daily_limit',
  'store_not_opened',
  'not_found',
  'network',
];

export function useReceive(activity: string) {
  return useInvalidatingMutation('receiveCoupon', () =>
    call('POST', '/user_coupon/receive', { body: { activity }, inline }),
  );
}
