import { type CallOptions, call } from './call';
import { ApiError } from './errors';

const unanswered = new Map<string, string>();

/**
 * A POST that moves money. Its idempotency key stays the same until the server has accepted or
 * refused: pressing again after a lost connection repeats the same order and never places a second
 * one. The keys outlive the form, because leaving the page and coming back is a retry too.
 */
export async function moneyCall<T>(
  path: string,
  body: object,
  options: Omit<CallOptions, 'body' | 'idempotencyKey'> = {},
): Promise<T> {
  const order = `${path} ${JSON.stringify(body)}`;
  const idempotencyKey = unanswered.get(order) ?? crypto.randomUUID();
  unanswered.set(order, idempotencyKey);
  try {
    const answer = await call<T>('POST', path, { ...options, body, idempotencyKey });
    unanswered.delete(order);
    return answer;
  } catch (error) {
    // After a server error it is unknown whether the money moved; only a refusal ends the order.
    if (error instanceof ApiError && error.code !== 500) unanswered.delete(order);
    throw error;
  }
}
