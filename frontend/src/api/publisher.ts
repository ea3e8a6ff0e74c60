import { ask, commonHeaders, queryString, unwrap } from './call';
import type { Answer, Path, Query } from './contract/endpoints';

/** The headers of a publisher's calls: its link in place of a session. */
export function publisherHeaders(link: string): Headers {
  const headers = commonHeaders(null);
  headers.set('Authorization', `Bearer ${link}`);
  return headers;
}

/** Reads what a publisher may read of itself. Its page shows every error in its own place. */
export async function readAsPublisher<P extends Path<'GET'> & `/publisher/${string}`>(
  link: string,
  path: P,
  query: Query<'GET', P> | null,
  signal: AbortSignal,
): Promise<Answer<'GET', P>> {
  const address = `/api${path}${queryString(query ?? {})}`;
  return unwrap(await ask<Answer<'GET', P>>(address, { headers: publisherHeaders(link), signal }));
}
