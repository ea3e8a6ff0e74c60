import { call } from '@/api/call';
import type { Body } from '@/api/contract/endpoints';
import type { Refusal } from '@/api/contract/refusal';
import { useInvalidatingMutation } from '@/api/queries/use-invalidating-mutation';
import { moneyRefusals } from '@/shared/money/RefusalNotice';
import { usePayment } from '@/shared/money/use-payment';

/** An offered plan, or a product for a new plan. */
export type PutTarget = { id: string } | { product_id: string };

export type Put = PutTarget & Omit<Body<'/plan/order/put'>, 'id' | 'product_id'>;

export const couponRefusals: Refusal[] = [
  'coupon_used',
  'coupon_expired',
  'coupon_not_applicable',
  'coupon_daily_limit',
];

export function usePut() {
  return usePayment('/plan/order/put', 'fields', ...couponRefusals);
}

export type Control = 'pause' | 'resume' | 'stop';

export function usePlanControl(id: string) {
  const steer = (control: Control) =>
    call('POST', `/plan/order/${control}`, { body: { id }, inline: moneyRefusals });
  return useInvalidatingMutation('steerPlan', steer, { awaitRefetch: true });
}

/**
 * Pauses or resumes a plan. The app itself reports a refusal, whatever page the user is on by then.
 */
export function useSteering() {
  const steer = ({ id, control }: { id: string; control: Control }) =>
    call('POST', `/plan/order/${control}`, { body: { id } });
  return useInvalidatingMutation('steerPlan', steer);
}
