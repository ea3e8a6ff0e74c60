import type { QueryClient } from '@tanstack/react-query';
import { moneyCall } from '@/api/money/money-call';
import { call } from '../call';
import { downloadFile } from '../download';
import { ApiError } from '../errors';
import { fetchPicture } from '../picture';
import { readAsPublisher } from '../publisher';
import { invalidateAfter } from '../queries/invalidate';
import { uploadImage } from '../upload';

/*
 * Uses that must not compile. Nothing runs them: the type check fails if one of them compiles.
 * Each is beside a correct use, so that a type that refuses everything fails, too.
 */

const { signal } = new AbortController();

export async function paths() {
  await call('GET', '/level');
  // @ts-expect-error -- no such path
  await call('GET', '/levels');
  // @ts-expect-error -- only read
  await call('POST', '/level');
  // @ts-expect-error -- a file, without an envelope
  await call('GET', '/user/export');
  await downloadFile('/user/export');
  // @ts-expect-error -- no file
  await downloadFile('/level');
  // @ts-expect-error -- a picture of one's own
  await downloadFile('/customer/pictures/{id}');
  await fetchPicture('/customer/pictures/{id}', { id: '1' });
  // @ts-expect-error -- the path has no such part
  await fetchPicture('/customer/pictures/{id}', { key: '1' });
  await uploadImage(new Blob(), { path: '/customer/pictures' });
  // @ts-expect-error -- takes no file
  await uploadImage(new Blob(), { path: '/feedback' });
  await readAsPublisher('link', '/publisher/info', null, signal);
  // @ts-expect-error -- not a publisher's
  await readAsPublisher('link', '/level', null, signal);
}

export async function bodies() {
  const body = { topic: 'x', content: 'y' };
  await call('POST', '/feedback', { body });
  // @ts-expect-error -- no such field
  await call('POST', '/feedback', { body: { ...body, title: 'z' } });
  // @ts-expect-error -- a field is missing
  await call('POST', '/feedback', { body: { topic: 'x' } });
  // @ts-expect-error -- no body at all
  await call('POST', '/feedback');
  // @ts-expect-error -- it takes no body
  await call('POST', '/auth/logout', { body });
  // @ts-expect-error -- a number is no amount
  await moneyCall('/user/withdraw', { amount: 10, password: 'h' });
  await moneyCall('/user/withdraw', { amount: '10', password: 'h' });
  // @ts-expect-error -- heeds no idempotency key
  await moneyCall('/feedback', body);
}

export async function queries() {
  await call('GET', '/products', { query: { cursor: null, limit: '20' } });
  // @ts-expect-error -- no such parameter
  await call('GET', '/products', { query: { page: '2' } });
  // @ts-expect-error -- no such kind
  await call('GET', '/transaction_flow/list', { query: { kind: 'gift' } });
  // @ts-expect-error -- a parameter is missing
  await call('GET', '/plan/order/series', { query: { step: 'day' } });
  await downloadFile('/transaction_flow/export', { query: { month: null, format: 'pdf' } });
  // @ts-expect-error -- no such format
  await downloadFile('/transaction_flow/export', { query: { month: null, format: 'xls' } });
}

export async function answers() {
  const { items } = await call('GET', '/products');
  const names: string[] = items.map(({ name }) => name);
  // @ts-expect-error -- no such field
  const titles = items.map(({ title }) => title);
  // @ts-expect-error -- an amount is no number
  const most: number = items[0]?.max_put;
  const card = await call('GET', '/bank_card/detail');
  // @ts-expect-error -- there may be none
  const way = card.method;
  return [names, titles, most, way];
}

export async function refusals() {
  await call('GET', '/level', { inline: ['not_found', 'network'] });
  // @ts-expect-error -- nothing is refused for it
  await call('GET', '/level', { inline: ['not_there'] });
  const { error } = new ApiError(405, '', { error: 'insufficient_balance' });
  // @ts-expect-error -- nor can it have been
  return error === 'insufficient_funds' || error === 'insufficient_balance';
}

export async function keys(client: QueryClient) {
  await client.invalidateQueries({ queryKey: ['plans'] });
  // @ts-expect-error -- no such query
  await client.invalidateQueries({ queryKey: ['plan'] });
  // @ts-expect-error -- no such query of plans
  await client.invalidateQueries({ queryKey: ['plans', 'all'] });
  client.setQueryData(['property'], undefined);
  // @ts-expect-error -- a prefix, under which nothing is kept
  client.setQueryData(['plans'], undefined);
  await invalidateAfter(client, 'withdraw');
  // @ts-expect-error -- no such change
  await invalidateAfter(client, 'withdrew');
}
