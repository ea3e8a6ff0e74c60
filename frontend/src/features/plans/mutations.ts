import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '@/api/call';
import type { Body } from '@/api/contract/endpoints';
import type { Refusal } from '@/api/contract/refusal';
import { moneyCall } from '@/api/money-call';
import { askAgain } from '@/api/queries/asked-again';
import { moneyRefusals } from '@/shared/money/RefusalNotice';

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
  const client = useQueryClient();
  return useMutation({
    mutationFn: (put: Put) =>
      moneyCall('/plan/order/put', put, { inline: [...moneyRefusals, ...couponRefusals] }),
    onSuccess: () => void askAgain(client, 'putPlan'),
  });
}

/** Adds one's own money to the budget of a plan that runs. */
export function useAddBudget(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Omit<Body<'/plan/order/add_budget'>, 'id'>) =>
      moneyCall('/plan/order/add_budget', { id, ...body }, { inline: moneyRefusals }),
    // After a refusal, too: the plan or the balance may have changed meanwhile.
    onSettled: () => void askAgain(client, 'addBudget'),
  });
}

export type Control = 'pause' | 'resume' | 'stop';

export function useControl(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (control: Control) =>
      call('POST', `/plan/order/${control}`, { body: { id }, inline: moneyRefusals }),
    // After a refusal, too: the plan may have changed meanwhile.
    onSettled: () => askAgain(client, 'steerPlan'),
  });
}
