import { ask, commonHeaders, unwrap } from '@/api/call';
import type { Answer, Body, Path } from '@/api/contract/endpoints';

/** Of a counterparty that has no account: a session of whoever is signed in here is not sent. */
export async function askAboutKey<P extends Path<'POST'> & `/claim/${string}`>(
  path: P,
  link: string,
): Promise<Answer<'POST', P>> {
  const headers = commonHeaders(null);
  headers.set('Content-Type', 'application/json');
  const body = JSON.stringify({ link } satisfies Body<'/claim/look' | '/claim/open'>);
  const init = { method: 'POST', headers, body };
  return unwrap(await ask<Answer<'POST', P>>(`/api${path}`, init));
}
