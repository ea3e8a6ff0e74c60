import { describe, expect, it } from 'vitest';
import { fakeApi, lostConnection, Refusal } from '@/testing/api';
import { moneyCall } from './money-call';

function keys(api: ReturnType<typeof fakeApi>) {
  return api.sent.map((request) => request.headers.get('Idempotency-Key'));
}

describe('moneyCall', () => {
  it('repeats the same key after a lost connection, and takes a new one afterwards', async () => {
    const api = fakeApi({ 'POST /user/withdraw': lostConnection });
    const body = { amount: '10.00', password: 'a' };
    await expect(moneyCall('/user/withdraw', body)).rejects.toThrow();
    api.answer('POST /user/withdraw', () => ({ id: 'w1' }));
    await moneyCall('/user/withdraw', body);
    await moneyCall('/user/withdraw', body);
    const [lost, repeated, next] = keys(api);
    expect(lost).toMatch(/^[\x21-\x7e]{1,64}$/);
    expect(repeated).toBe(lost);
    expect(next).not.toBe(lost);
  });

  it('keeps the key through a server error, which leaves open what happened', async () => {
    const api = fakeApi({ 'POST /user/withdraw': () => new Refusal(500) });
    const body = { amount: '11.00', password: 'a' };
    await expect(moneyCall('/user/withdraw', body)).rejects.toThrow();
    await expect(moneyCall('/user/withdraw', body)).rejects.toThrow();
    const [first, second] = keys(api);
    expect(second).toBe(first);
  });

  it('ends the order with a refusal', async () => {
    const api = fakeApi({ 'POST /user/withdraw': () => new Refusal(405) });
    const body = { amount: '12.00', password: 'a' };
    await expect(moneyCall('/user/withdraw', body)).rejects.toThrow();
    await expect(moneyCall('/user/withdraw', body)).rejects.toThrow();
    const [first, second] = keys(api);
    expect(second).not.toBe(first);
  });

  it('gives another amount another key', async () => {
    const api = fakeApi({ 'POST /user/withdraw': lostConnection });
    await expect(moneyCall('/user/withdraw', { amount: '1.00', password: 'a' })).rejects.toThrow();
    await expect(moneyCall('/user/withdraw', { amount: '2.00', password: 'a' })).rejects.toThrow();
    const [first, second] = keys(api);
    expect(second).not.toBe(first);
  });
});
