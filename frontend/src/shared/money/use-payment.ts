import type { Body } from '@/api/contract/endpoints';
import type { Shown } from '@/api/contract/refusal';
import { type MoneyPath, moneyCall } from '@/api/money/money-call';
import type { Change } from '@/api/queries/invalidate';
import {
  type ChangeOptions,
  useInvalidatingMutation,
} from '@/api/queries/use-invalidating-mutation';
import { moneyRefusals } from './RefusalNotice';

const payments: Record<MoneyPath, readonly [Change, ChangeOptions?]> = {
  '/acceptor/order/put': ['putExchange', { awaitRefetch: true }],
  '/plan/order/add_budget': ['addBudget'],
  '/plan/order/put': ['putPlan', { onSuccessOnly: true }],
  '/user/deposit/pay': ['moveDeposit'],
  '/user/deposit/return': ['moveDeposit'],
  '/user/recharge/announce': ['announcePayment', { awaitRefetch: true }],
  '/user/startup/return': ['returnStartup'],
  '/user/withdraw': ['withdraw'],
  '/vip/subscribe': ['subscribeVip', { onSuccessOnly: true }],
};

/** Moves money, or announces it. The page shows the refusals of a RefusalNotice, and what it names. */
export function usePayment<P extends MoneyPath>(path: P, ...shown: readonly Shown[]) {
  const inline = [...moneyRefusals, ...shown];
  const [change, options] = payments[path];
  return useInvalidatingMutation(
    change,
    (body: Body<P>) => moneyCall(path, body, { inline }),
    options,
  );
}
