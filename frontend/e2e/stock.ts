import type { Signed } from '../src/api/types.ts';

export type Account = Signed;

async function call<T>(base: string, path: string, init?: RequestInit): Promise<T> {
  const answer = await fetch(`${base}/api${path}`, init);
  const { code, msg, data } = (await answer.json()) as { code: number; msg: string; data: T };
  if (code !== 200) throw new Error(`${path}: ${code} ${msg}`);
  return data;
}

/** Signs in through the API, without the login page. */
export function signInQuietly(base: string, username: string, password: string) {
  return call<Account>(base, '/auth/v2/login', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ username, password }),
  });
}

/** Calls the API as the signed-in user, without going through the page under test. */
export function readAs<T>(base: string, { token }: Account, path: string) {
  return call<T>(base, path, { headers: { 'X-CT': token } });
}

/** The query that each detail page needs. */
export async function queriesFor(base: string, account: Account) {
  type Items = { items: { id: string }[] };
  const plans = await readAs<Items>(base, account, '/plan/order/list');
  const products = await readAs<Items>(base, account, '/products');
  const config = await call<{ faq_config: { id: string }[] }>(base, '/basic_config');
  const contact = account.user.customer_service_url.find(({ type }) => type === 1);
  const ids = [plans.items[0]?.id, products.items[0]?.id, config.faq_config[0]?.id];
  if (ids.some((id) => !id) || !contact) throw new Error('the demonstration lacks something');
  const impressions = `/plan/order/events?plan_id=${ids[0]}&kind=impression`;
  const [event] = (await readAs<Items>(base, account, impressions)).items;
  const queries: Record<string, string> = {
    '/plan/detail': `?id=${ids[0]}`,
    '/plan/compare': `?ids=${plans.items.slice(0, 3).map(({ id }) => id)}`,
    '/plan/events': `?plan=${ids[0]}&kind=impression`,
    // A plan that was not delivered yet has none: its page says so.
    '/plan/event': `?plan=${ids[0]}&kind=impression&id=${event?.id ?? 0}`,
    '/plan/goods-detail': `?id=${ids[1]}`,
    '/ad-center/ques-detail': `?id=${ids[2]}`,
    '/customer': `?url=${encodeURIComponent(contact.url)}`,
  };
  return queries;
}
