import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { showLanguage } from '@/i18n/texts';
import { fakeApi, lostConnection, Refusal } from '@/testing/api';
import { aUser } from '@/testing/data';
import { call, onCallError } from './call';
import type { Shown } from './contract/refusal';
import { ApiError, NetworkError } from './errors';
import { session } from './session';

const reported = vi.fn();
beforeEach(() => onCallError(reported));
afterEach(() => reported.mockReset());

const body = { topic: 'x', content: 'y' };

/** Nobody answers, however long one waits. */
const silent = (_address: string, { signal }: RequestInit) =>
  new Promise((_, fail) => signal?.addEventListener('abort', () => fail(signal.reason)));

describe('call', () => {
  it('unwraps the envelope', async () => {
    fakeApi({ 'GET /level': () => ({ level: 3 }) });
    expect(await call('GET', '/level')).toEqual({ level: 3 });
  });

  it('sends token, zone and language, and JSON as a body', async () => {
    const api = fakeApi({ 'POST /feedback': () => ({ id: '1' }) });
    session.signIn({ token: 'secret', user: aUser });
    await showLanguage('zh');
    await call('POST', '/feedback', { body });
    const { headers, body: sent } = api.sent[0] ?? {};
    expect(headers?.get('X-CT')).toBe('secret');
    expect(headers?.get('X-TZ')).toMatch(/^[\w/+-]+ GMT[+-]\d\d:\d\d$/);
    expect(headers?.get('Accept-Language')).toBe('zh-Hans');
    expect(headers?.get('Content-Type')).toBe('application/json');
    expect(sent).toEqual(body);
  });

  it('sends a query without what was not given', async () => {
    const api = fakeApi({ 'GET /products': () => ({}) });
    await call('GET', '/products', { query: { cursor: null, limit: '20' } });
    expect(api.sent[0]?.query.toString()).toBe('limit=20');
    expect(api.sent[0]?.headers.get('X-CT')).toBeNull();
  });

  it('sends a form as it is', async () => {
    const api = fakeApi({ 'POST /files/upload': () => ({}) });
    const form = new FormData();
    await call('POST', '/files/upload', { body: form });
    expect(api.sent[0]?.body).toBe(form);
    expect(api.sent[0]?.headers.get('Content-Type')).toBeNull();
  });

  it('throws a typed error and reports it', async () => {
    const data = { error: 'insufficient_balance', lang: 'de', needed: '5.00' };
    fakeApi({ 'POST /feedback': () => new Refusal(405, 'Not enough', data) });
    const error = await call('POST', '/feedback', { body }).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ code: 405, error: 'insufficient_balance', msg: 'Not enough' });
    expect((error as ApiError).data.needed).toBe('5.00');
    expect(reported).toHaveBeenCalledExactlyOnceWith(error);
  });

  it.each<[string, Shown[]]>([
    ['the key', ['insufficient_balance']],
    ['everything', ['all']],
  ])('leaves an error to the caller who shows %s', async (_name, inline) => {
    fakeApi({ 'POST /feedback': () => new Refusal(405, 'no', { error: 'insufficient_balance' }) });
    await expect(call('POST', '/feedback', { body, inline })).rejects.toThrow(ApiError);
    expect(reported).not.toHaveBeenCalled();
  });

  it.each([402, 403, 404, 503])('reports %i whoever shows everything', async (code) => {
    fakeApi({ 'POST /feedback': () => new Refusal(code) });
    await expect(call('POST', '/feedback', { body, inline: ['all'] })).rejects.toThrow(ApiError);
    expect(reported).toHaveBeenCalledOnce();
  });

  it('reports a 400 without fields even to a form', async () => {
    fakeApi({ 'POST /feedback': () => new Refusal(400, 'bad', { fields: {} }) });
    await expect(call('POST', '/feedback', { body, inline: ['fields'] })).rejects.toThrow();
    expect(reported).toHaveBeenCalledOnce();
  });

  it('tells a lost connection from an answer', async () => {
    fakeApi({ 'POST /feedback': lostConnection });
    const error = await call('POST', '/feedback', { body }).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(NetworkError);
    expect(reported).toHaveBeenCalledOnce();
  });

  it('tells what the device holds back, as ad blockers do, from a lost connection', async () => {
    const failure = () => call('POST', '/feedback', { body }).catch((e: unknown) => e);
    let passed = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => passed);
    const lostAfter = (millis: number) => () => {
      passed += millis;
      lostConnection();
    };
    const api = fakeApi({ 'POST /feedback': lostAfter(0) });
    expect(await failure()).toMatchObject({ lost: true, heldBack: false });
    api.answer('HEAD /', () => ({}));
    api.answer('POST /feedback', lostAfter(299));
    expect(await failure()).toMatchObject({ lost: true, heldBack: true });
    // A connection that breaks has been there for a while, or has brought half an answer.
    api.answer('POST /feedback', lostAfter(300));
    expect(await failure()).toMatchObject({ lost: true, heldBack: false });
    const half = new ReadableStream({ pull: (body) => body.error(new TypeError('network error')) });
    api.answer('POST /feedback', () => new Response(half));
    expect(await failure()).toMatchObject({ lost: true, heldBack: false });
  });

  it('takes HTTP 503 for a draining server, never for an ended session', async () => {
    const draining = { code: 503, msg: '', data: {} };
    fakeApi({
      'GET /level': () => Response.json(draining, { status: 503, statusText: 'Draining' }),
    });
    const error = await call('GET', '/level').catch((e: unknown) => e);
    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toMatchObject({ status: 503, message: 'Draining' });
  });

  it('takes a page that is no JSON for a network error', async () => {
    fakeApi({ 'GET /level': () => new Response('<html>', { status: 200 }) });
    await expect(call('GET', '/level')).rejects.toThrow(NetworkError);
  });

  it.each([null, [[]], 'error', 7, {}, { error: 'unavailable' }, { code: '500' }])(
    'takes JSON that is no envelope, such as %j, for neither an answer nor a refusal',
    async (answer) => {
      fakeApi({ 'POST /feedback': () => Response.json(answer) });
      const error = await call('POST', '/feedback', { body }).catch((e: unknown) => e);
      expect(error).toBeInstanceOf(NetworkError);
      expect(error).toMatchObject({ status: 200, lost: false });
      expect(reported).toHaveBeenCalledExactlyOnceWith(error);
    },
  );

  it('leaves a lost reading to the page that reads', async () => {
    fakeApi({ 'GET /level': lostConnection });
    await expect(call('GET', '/level')).rejects.toThrow(NetworkError);
    expect(reported).not.toHaveBeenCalled();
  });

  it('does not report the late answer to a session that has ended', async () => {
    session.signIn({ token: 'old', user: aUser });
    fakeApi({
      'GET /level': () => {
        session.signIn({ token: 'new', user: aUser });
        return new Refusal(503);
      },
    });
    await expect(call('GET', '/level')).rejects.toThrow(ApiError);
    expect(reported).not.toHaveBeenCalled();
  });

  it('takes a connection for lost that says nothing for a minute', async () => {
    vi.useFakeTimers();
    vi.stubGlobal('fetch', vi.fn(silent));
    const asked = call('POST', '/feedback', { body }).catch((e: unknown) => e);
    await vi.advanceTimersByTimeAsync(59_000);
    expect(reported).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1000);
    expect(await asked).toMatchObject({ name: 'NetworkError', lost: true });
    expect(reported).toHaveBeenCalledOnce();
  });

  it('leaves alone what its caller has given up', async () => {
    vi.stubGlobal('fetch', vi.fn(silent));
    const caller = new AbortController();
    const asked = call('GET', '/level', { signal: caller.signal }).catch((e: unknown) => e);
    caller.abort();
    expect(await asked).not.toBeInstanceOf(NetworkError);
    expect(reported).not.toHaveBeenCalled();
  });
});
