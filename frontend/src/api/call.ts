import { bcp47 } from '@/i18n/languages';
import { currentLanguage } from '@/i18n/texts';
import type { Answer, Method, Path, WithOptions } from './contract/endpoints';
import type { Shown } from './contract/refusal';
import { ApiError, type ErrorData, NetworkError } from './errors';
import type { components } from './openapi';
import { wasHeldBack } from './reachable';
import { noteServerTime } from './server-clock';
import { session } from './session';
import { timeZoneHeader } from './time-zone';

export type CallOptions = {
  idempotencyKey?: string;
  signal?: AbortSignal;
  /** The failures that the caller shows itself. */
  inline?: readonly Shown[];
};

/** The options of a call to any endpoint. `call` narrows them to those of its endpoint. */
type Sendable = CallOptions & { query?: AnyQuery; body?: object };
type AnyQuery = Record<string, string | boolean | null | undefined>;

type Reporter = (error: ApiError | NetworkError) => void;
let report: Reporter = () => {};

/** Sets what the app does about errors that nobody shows inline. */
export function onCallError(reporter: Reporter) {
  report = reporter;
}

export function call<M extends Method, const P extends Path<M>>(
  method: M,
  path: P,
  ...options: WithOptions<M, P, CallOptions>
): Promise<Answer<M, P>>;
export async function call(method: Method, path: string, options: Sendable = {}): Promise<unknown> {
  const { token } = session.get();
  try {
    return await request(method, path, token, options);
  } catch (error) {
    // A page that reads shows a lost connection in its own place.
    const reading = error instanceof NetworkError && method === 'GET';
    if (!reading) reportUnlessShown(error, token, options.inline);
    throw error;
  }
}

/** The answer to a session that has ended meanwhile must not end the next one. */
export function reportUnlessShown(
  error: unknown,
  token: string | null,
  inline: readonly Shown[] = [],
) {
  if (!(error instanceof ApiError || error instanceof NetworkError)) return;
  if (token === session.get().token && !shownInline(error, inline)) report(error);
}

/** The codes that are of the account or the session, and so of no single call. */
const ofEveryCall = [402, 403, 404, 503];

function shownInline(error: ApiError | NetworkError, inline: readonly Shown[]): boolean {
  if (error instanceof ApiError && ofEveryCall.includes(error.code)) return false;
  if (inline.includes('all')) return true;
  if (error instanceof NetworkError) return inline.includes('network');
  const atFields = error.code === 400 && Object.keys(error.fields).length > 0;
  return inline.includes(error.error) || (atFields && inline.includes('fields'));
}

async function request(
  method: string,
  path: string,
  token: string | null,
  { query, body, idempotencyKey, signal }: Sendable,
): Promise<unknown> {
  const headers = commonHeaders(token);
  const address = `/api${path}${queryString(query)}`;
  const init: RequestInit = { method, headers };
  if (method !== 'GET') {
    if (idempotencyKey) headers.set('Idempotency-Key', idempotencyKey);
    const form = body instanceof FormData;
    if (!form) headers.set('Content-Type', 'application/json');
    init.body = form ? body : JSON.stringify(body ?? {});
  }
  return unwrap(await askInTime(address, init, signal));
}

/**
 * In milliseconds. A dead connection, such as after a phone has slept, may not fail for minutes.
 */
const patience = 60_000;

async function askInTime(address: string, init: RequestInit, signal: AbortSignal | undefined) {
  const limit = new AbortController();
  const end = () => limit.abort();
  const timer = setTimeout(end, patience);
  signal?.addEventListener('abort', end);
  if (signal?.aborted) end();
  try {
    return await ask(address, { ...init, signal: limit.signal });
  } catch (error) {
    const late = limit.signal.aborted && !signal?.aborted;
    throw late ? new NetworkError(0, 'network') : error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
  }
}

/**
 * Fetches an address, and returns what `read` makes of the response. `D` is the data that the
 * endpoint answers with: here, JSON gets its type.
 */
export async function ask<D, T = Envelope<D>>(
  address: string,
  init: RequestInit,
  read: (response: Response) => Promise<T> = (response) => response.json(),
): Promise<T> {
  const began = performance.now();
  let answered = false;
  try {
    const response = await fetch(address, init);
    answered = true;
    const { headers, ok, status, statusText } = response;
    noteServerTime(headers.get('Date'));
    if (!ok) throw new NetworkError(status, statusText, headers.get('Retry-After'));
    return await read(response);
  } catch (error) {
    const known = error instanceof ApiError || error instanceof NetworkError;
    if (known || init.signal?.aborted) throw error;
    // Something answered, though not with an envelope.
    if (error instanceof SyntaxError) throw new NetworkError(200, '');
    const heldBack = !answered && (await wasHeldBack(performance.now() - began));
    throw new NetworkError(0, error instanceof Error ? error.message : 'network', null, heldBack);
  }
}

/** The headers of every call: session, time zone and language. */
export function commonHeaders(token: string | null): Headers {
  const headers = new Headers({
    'X-TZ': timeZoneHeader(),
    'Accept-Language': bcp47(currentLanguage()),
  });
  if (token) headers.set('X-CT', token);
  return headers;
}

export type Envelope<D> =
  | { code: 200; msg: string; data: D }
  | { code: components['schemas']['Refusal']['code']; msg: string; data: ErrorData };

export function unwrap<D>(answer: Envelope<D>): D {
  const { code, msg, data } = answer ?? {};
  if (code === 200) return data;
  // Something else may have answered: its JSON refuses nothing.
  if (typeof code !== 'number') throw new NetworkError(200, '');
  throw new ApiError(code, msg ?? '', data ?? {});
}

export function queryString(query: AnyQuery = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined);
  const params = new URLSearchParams(given.map(([key, value]) => [key, String(value)]));
  return given.length ? `?${params}` : '';
}
