import { type CallOptions, call } from './call';
import type { Answer, Body } from './contract/endpoints';
import { ApiError } from './errors';

/** The endpoints that heed an idempotency key, and know an order by it. */
export type MoneyPath =
  | '/acceptor/order/put'
  | '/plan/order/add_budget'
  | '/plan/order/put'
  | '/user/deposit/pay'
  | '/user/deposit/return'
  | '/user/recharge/announce'
  | '/user/startup/return'
  | '/user/withdraw'
  | '/vip/subscribe';
type MoneyOptions = Omit<CallOptions, 'idempotencyKey'>;

const unanswered = new Map<string, string>();

/**
 * A POST that moves money. Its idempotency key stays the same until the server has accepted or
 * refused: pressing again after a lost connection repeats the same order and never places a second
 * one. The keys outlive the form, because leaving the page and coming back is a retry too.
 */
export function moneyCall<P extends MoneyPath>(
  path: P,
  body: Body<P>,
  options?: MoneyOptions,
): Promise<Answer<'POST', P>>;
export async function moneyCall(
  path: MoneyPath,
  body: Body<MoneyPath>,
  options?: MoneyOptions,
): Promise<unknown> {
  const order = `${path} ${JSON.stringify(body)}`;
  const idempotencyKey = unanswered.get(order) ?? crypto.randomUUID();
  unanswered.set(order, idempotencyKey);
  try {
    const answer = await call('POST', path, { ...options, body, idempotencyKey });
    unanswered.delete(order);
    return answer;
  } catch (error) {
    // After a server error it is unknown whether the money moved; only a refusal ends the order.
    if (error instanceof ApiError && error.code !== 500) unanswered.delete(order);
    throw error;
  }
}
