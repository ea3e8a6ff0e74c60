import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '@/api/call';
import { askAgain } from '@/api/queries/asked-again';
import type { Coupon } from '@/api/types';

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
    // After a refusal, too: it may have been claimed on another device.
    onSettled: () => void askAgain(client, 'receiveCoupon'),
  });
}
