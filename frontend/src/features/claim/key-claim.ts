import { ask, commonHeaders, unwrap } from '@/api/call';

/** Of a counterparty that has no account: a session of whoever is signed in here is not sent. */
export async function askAboutKey<T>(path: '/look' | '/open', link: string): Promise<T> {
  const headers = commonHeaders(null);
  headers.set('Content-Type', 'application/json');
  const body = JSON.stringify({ link });
  return unwrap<T>(await ask(`/api/claim${path}`, { method: 'POST', headers, body }));
}
