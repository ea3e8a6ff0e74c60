import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '@/api/call';
import { moneyCall } from '@/api/money-call';
import { askAgain } from '@/api/queries/asked-again';
import type { ContentType, Plan } from '@/api/types';
import { moneyRefusals } from '@/shared/money/RefusalNotice';

/** An offered plan, or a product for a new plan. */
export type PutTarget = { id: string } | { product_id: string };

export type Put = PutTarget & {
  amount: string;
  content: ContentType;
  coupon_id?: string;
  ai_delivery?: true;
  password: string;
};

export const couponRefusals = [
  'coupon_used',
  'coupon_expired',
  'coupon_not_applicable',
  'coupon_daily_limit',
];

export function usePut() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (put: Put) =>
      moneyCall<Plan>('/plan/order/put', put, { inline: [...moneyRefusals, ...couponRefusals] }),
    onSuccess: () => void askAgain(client, 'putPlan'),
  });
}

/** Adds one's own money to the budget of a plan that runs. */
export function useAddBudget(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { amount: string; password: string }) =>
      moneyCall<Plan>('/plan/order/add_budget', { id, ...body }, { inline: moneyRefusals }),
    // After a refusal, too: the plan or the balance may have changed meanwhile.
    onSettled: () => void askAgain(client, 'addBudget'),
  });
}

export type Control = 'pause' | 'resume' | 'stop';

export function useControl(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (control: Control) =>
      call<Plan>('POST', `/plan/order/${control}`, { body: { id }, inline: moneyRefusals }),
    // After a refusal, too: the plan may have changed meanwhile.
    onSettled: () => askAgain(client, 'steerPlan'),
  });
}
