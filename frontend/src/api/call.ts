import { bcp47 } from '@/i18n/languages';
import { currentLanguage } from '@/i18n/texts';
import { ApiError, type ErrorData, NetworkError } from './errors';
import { session } from './session';
import { timeZoneHeader } from './time-zone';

type Query = Record<string, string | number | null | undefined>;

export type CallOptions = {
  query?: Query;
  body?: object | FormData;
  idempotencyKey?: string;
  signal?: AbortSignal;
  /** What the caller shows itself: error keys, `fields` for a form's own fields, `network`, or `all`. */
  inline?: readonly string[];
};

type Reporter = (error: ApiError | NetworkError) => void;
let report: Reporter = () => {};

/** The app says once what an error nobody shows inline does to it. */
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
    // A reading page shows a lost connection in its own place; and an answer to a session that has
    // ended meanwhile must not throw the next one out.
    const known = error instanceof ApiError || (error instanceof NetworkError && method === 'POST');
    const stale = token !== session.get().token;
    if (known && !stale && !shownInline(error, options.inline ?? [])) report(error);
    throw error;
  }
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
  const headers = new Headers({
    'X-TZ': timeZoneHeader(),
    'Accept-Language': bcp47(currentLanguage()),
  });
  if (token) headers.set('X-CT', token);
  if (idempotencyKey) headers.set('Idempotency-Key', idempotencyKey);
  const form = body instanceof FormData;
  if (method === 'POST' && !form) headers.set('Content-Type', 'application/json');

  let response: Response;
  let envelope: { code: number; msg: string; data: unknown };
  try {
    response = await fetch(`/api${path}${queryString(query)}`, {
      method,
      headers,
      signal,
      body: form ? body : method === 'POST' ? JSON.stringify(body ?? {}) : undefined,
    });
    if (!response.ok) throw new NetworkError(response.status, response.statusText);
    envelope = await response.json();
  } catch (error) {
    if (error instanceof NetworkError || signal?.aborted) throw error;
    throw new NetworkError(0, error instanceof Error ? error.message : 'network');
  }
  if (envelope.code === 200) return envelope.data as T;
  throw new ApiError(envelope.code, envelope.msg ?? '', (envelope.data ?? {}) as ErrorData);
}

function queryString(query: Query = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined);
  const params = new URLSearchParams(given.map(([key, value]) => [key, String(value)]));
  return given.length ? `?${params}` : '';
}
