import { bcp47 } from '@/i18n/languages';
import { currentLanguage } from '@/i18n/texts';
import { ApiError, type ErrorData, NetworkError } from './errors';
import { noteServerTime } from './server-clock';
import { session } from './session';
import { timeZoneHeader } from './time-zone';

export type Query = Record<string, string | number | null | undefined>;

export type CallOptions = {
  query?: Query;
  body?: object | FormData;
  idempotencyKey?: string;
  signal?: AbortSignal;
  /**
   * What the caller shows itself: error keys, `fields` for a form's own fields, `network`, or
   * `all`.
   */
  inline?: readonly string[];
};

type Reporter = (error: ApiError | NetworkError) => void;
let report: Reporter = () => {};

/** Sets what the app does about errors that nobody shows inline. */
export function onCallError(reporter: Reporter) {
  report = reporter;
}

export async function call<T>(
  method: 'GET' | 'POST',
  path: string,
  options: CallOptions = {},
): Promise<T> {
  const { token } = session.get();
  try {
    return await request<T>(method, path, token, options);
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
  inline: readonly string[] = [],
) {
  if (!(error instanceof ApiError || error instanceof NetworkError)) return;
  if (token === session.get().token && !shownInline(error, inline)) report(error);
}

function shownInline(error: ApiError | NetworkError, inline: readonly string[]): boolean {
  if (inline.includes('all')) return true;
  if (error instanceof NetworkError) return inline.includes('network');
  const atFields = error.code === 400 && Object.keys(error.fields).length > 0;
  return inline.includes(error.error) || (atFields && inline.includes('fields'));
}

async function request<T>(
  method: string,
  path: string,
  token: string | null,
  { query, body, idempotencyKey, signal }: CallOptions,
): Promise<T> {
  const headers = commonHeaders(token);
  const address = `/api${path}${queryString(query)}`;
  if (method === 'GET') {
    return unwrap<T>(await ask(address, { headers, signal }));
  }
  if (idempotencyKey) headers.set('Idempotency-Key', idempotencyKey);
  const form = body instanceof FormData;
  if (!form) headers.set('Content-Type', 'application/json');
  const written = form ? body : JSON.stringify(body ?? {});
  return unwrap<T>(await ask(address, { method, headers, signal, body: written }));
}

export async function ask(address: string, init: RequestInit): Promise<Envelope> {
  try {
    const response = await fetch(address, init);
    noteServerTime(response.headers.get('Date'));
    if (!response.ok) throw new NetworkError(response.status, response.statusText);
    return await response.json();
  } catch (error) {
    if (error instanceof NetworkError || init.signal?.aborted) throw error;
    // Something answered, though not with an envelope.
    if (error instanceof SyntaxError) throw new NetworkError(200, '');
    throw new NetworkError(0, error instanceof Error ? error.message : 'network');
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

export type Envelope = { code: number; msg: string; data: unknown };

export function unwrap<T>({ code, msg, data }: Envelope): T {
  if (code === 200) return data as T;
  throw new ApiError(code, msg ?? '', (data ?? {}) as ErrorData);
}

export function queryString(query: Query = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined);
  const params = new URLSearchParams(given.map(([key, value]) => [key, String(value)]));
  return given.length ? `?${params}` : '';
}
