import { type CallOptions, call } from '@/api/call';
import type { Answer, Body } from '@/api/contract/endpoints';
import { ApiError } from '@/api/errors';
import { session } from '@/api/session';
import { digestOf, keyOf, noteAnswer } from './unanswered';

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

/**
 * A POST that moves money. Its idempotency key stays the same until the server has accepted or
 * refused: pressing again after a lost connection repeats the same order and never places a second
 * one. The keys outlive the form and a reload, because coming back is a retry too.
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
  const order = digestOf(path, body);
  const { token } = session.get();
  // If another user has signed in meanwhile, the stored orders are that user's.
  const answered = () => session.get().token === token && noteAnswer(order);
  const { key: idempotencyKey, isRetry } = keyOf(order);
  try {
    const answer = await call('POST', path, { ...options, body, idempotencyKey });
    answered();
    return answer;
  } catch (error) {
    // After a server error it is unknown whether the money moved; only a refusal ends the order. That
    // of a retry may be of the retry alone, such as for its password: the first may have gone through.
    if (error instanceof ApiError && error.code !== 500 && !isRetry) answered();
    throw error;
  }
}
