import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '@/api/call';
import type { Shown } from '@/api/contract/refusal';
import { askAgain } from '@/api/queries/asked-again';

/** For the `inline` option: the activity shows them in its own place. */
export const receiveRefusals: Shown[] = [
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
      call('POST', '/user_coupon/receive', {
        body: { activity },
        inline: receiveRefusals,
      }),
    // After a refusal, too: it may have been claimed on another device.
    onSettled: () => void askAgain(client, 'receiveCoupon'),
  });
}
