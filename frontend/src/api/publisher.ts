import { ask, commonHeaders, type Query, queryString, unwrap } from './call';

/** The headers of a publisher's calls: its link in place of a session. */
export function publisherHeaders(link: string): Headers {
  const headers = commonHeaders(null);
  headers.set('Authorization', `Bearer ${link}`);
  return headers;
}

/** Reads what a publisher may read of itself. Its page shows every error in its own place. */
export async function readAsPublisher<T>(
  link: string,
  path: string,
  query: Query,
  signal: AbortSignal,
): Promise<T> {
  const address = `/api/publisher${path}${queryString(query)}`;
  return unwrap<T>(await ask(address, { headers: publisherHeaders(link), signal }));
}
