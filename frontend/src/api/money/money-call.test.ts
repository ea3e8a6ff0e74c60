import { describe, expect, it, vi } from 'vitest';
import { session } from '@/api/session';
import { fakeApi, lostConnection, Refusal } from '@/testing/api';
import { aUser } from '@/testing/data';
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

  it('gives what follows an answer another key, also after a retry', async () => {
    const api = fakeApi({ 'POST /user/withdraw': lostConnection });
    const body = { amount: '3.00', password: 'a' };
    await expect(moneyCall('/user/withdraw', body)).rejects.toThrow();
    // Of the retry alone: the first may have gone through.
    api.answer('POST /user/withdraw', () => new Refusal(405));
    await expect(moneyCall('/user/withdraw', body)).rejects.toThrow();
    api.answer('POST /user/withdraw', () => ({ id: 'w1' }));
    await moneyCall('/user/withdraw', body);
    await moneyCall('/user/withdraw', body);
    const [lost, refused, repeated, next] = keys(api);
    expect([refused, repeated]).toEqual([lost, lost]);
    expect(next).not.toBe(lost);
  });
});

describe('an order that was not answered', () => {
  const body = { amount: '20.50', password: 'secret-hash' };
  const lose = (given = body) => expect(moneyCall('/user/withdraw', given)).rejects.toThrow();

  /** As the page does that is loaded again. */
  async function reload() {
    vi.resetModules();
    // Its errors are those of its own modules.
    const { moneyCall: call } = await import('./money-call');
    return (given: typeof body) => call('/user/withdraw', given).catch(() => {});
  }

  function open() {
    session.signIn({ token: 't', user: aUser });
    return fakeApi({ 'POST /user/withdraw': lostConnection });
  }

  it('is the same one after a reload, however its amount and whichever password is typed', async () => {
    const api = open();
    await lose();
    const again = await reload();
    await again({ amount: '20.5', password: 'another' });
    await again({ amount: '20.05', password: 'another' });
    const [lost, repeated, other] = keys(api);
    expect(repeated).toBe(lost);
    expect(other).not.toBe(lost);
  });

  it('leaves nothing of itself in the browser but a digest, and that until it is answered', async () => {
    const api = open();
    await lose();
    const stored = () =>
      JSON.stringify({ ...sessionStorage }) + JSON.stringify({ ...localStorage });
    expect(stored()).toContain(keys(api)[0]);
    expect(stored()).not.toMatch(/secret-hash|20\.5/);
    api.answer('POST /user/withdraw', () => ({ id: 'w1' }));
    await moneyCall('/user/withdraw', body);
    expect(stored()).not.toContain(keys(api)[0]);
  });

  it('is the same one through an expired session', async () => {
    const api = open();
    await lose();
    session.clear();
    session.signIn({ token: 'u', user: aUser });
    await lose();
    const [first, expired] = keys(api);
    expect(expired).toBe(first);
  });

  it('is the same one where another tab signs in again, and is heard of in two steps', async () => {
    const api = open();
    await lose();
    session.expire();
    const hear = (key: string, value: string) => {
      localStorage.setItem(key, value);
      session.reload();
    };
    hear('fb_token', 'u');
    hear('fb_userInfo', JSON.stringify(aUser));
    await lose();
    const [first, second] = keys(api);
    expect(second).toBe(first);
  });

  it('is none of another user', async () => {
    const api = open();
    await lose();
    session.signIn({ token: 'w', user: { ...aUser, id: 'u2' } });
    await lose();
    const [mine, theirs] = keys(api);
    expect(theirs).not.toBe(mine);
  });

  it('is another one half a day later', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const api = open();
    await lose();
    vi.setSystemTime(Date.now() + 11 * 3_600_000);
    await lose();
    vi.setSystemTime(Date.now() + 12 * 3_600_000);
    await lose();
    const [first, sameDay, next] = keys(api);
    expect(sameDay).toBe(first);
    expect(next).not.toBe(first);
  });

  it('survives a storage that holds nonsense', async () => {
    const api = open();
    await lose();
    for (const key of Object.keys(sessionStorage)) sessionStorage.setItem(key, '[1, {"a": 2}]');
    const again = await reload();
    await again(body);
    const [first, next] = keys(api);
    expect(next).not.toBe(first);
  });
});
