// @vitest-environment node
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, describe, expect, it } from 'vitest';
import { ApiError, NetworkError } from '@/api/errors';
import { anyHeldBack, isAnswered, isUnreachable, lostFigures } from './lost-figures';

const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
const ends: (() => void)[] = [];

afterEach(() => {
  for (const end of ends.splice(0)) end();
  client.clear();
});

/**
 * A query on screen whose last data is from `at`, and which is then refetched: with this error, if
 * any.
 */
async function ask(name: 'property' | 'withdrawals', at: number | null, error: Error | null) {
  if (at) client.setQueryData([name], 'before', { updatedAt: at });
  const answer = () => (error ? Promise.reject(error) : Promise.resolve('now'));
  const observer = new QueryObserver(client, { queryKey: [name], queryFn: answer });
  ends.push(observer.subscribe(() => {}));
  await observer.refetch();
}

const lost = (online = true) => lostFigures(client.getQueryCache(), online);
const noConnection = new NetworkError(0, 'network');

describe('what is said of lost figures', () => {
  it('is nothing while all is well', async () => {
    await ask('property', null, null);
    expect(lost()).toBe('connected');
  });

  it('is the time of the oldest of them', async () => {
    await ask('property', 2000, noConnection);
    await ask('withdrawals', 1000, noConnection);
    expect(lost()).toBe(1000);
  });

  it('leaves out what is not in view, and what was read since', async () => {
    client.setQueryData(['products'], 'old', { updatedAt: 500 });
    await ask('property', 2000, noConnection);
    await ask('withdrawals', 1000, null);
    expect(lost()).toBe(2000);
  });

  it('is that there is no connection where no figures are', async () => {
    expect(lost(false)).toBe('nothing');
    await ask('property', 2000, null);
    expect(lost(false)).toBeGreaterThan(2000);
  });

  it('tells a server that fails from a connection that is gone', async () => {
    const cache = client.getQueryCache();
    await ask('property', 2000, new NetworkError(502, 'Bad Gateway'));
    expect(lost()).toBe(2000);
    expect(isAnswered(cache)).toBe(true);
    await ask('withdrawals', 1000, noConnection);
    expect(isAnswered(cache)).toBe(false);
  });

  it('knows what the device itself holds back', async () => {
    const cache = client.getQueryCache();
    await ask('property', 2000, noConnection);
    expect(anyHeldBack(cache)).toBe(false);
    await ask('withdrawals', 1000, new NetworkError(0, 'network', null, true));
    expect(anyHeldBack(cache)).toBe(true);
  });

  it('takes a refusal for an answer', () => {
    expect(isUnreachable(noConnection)).toBe(true);
    expect(isUnreachable(new NetworkError(502, 'Bad Gateway'))).toBe(true);
    expect(isUnreachable(new NetworkError(429, 'Too Many Requests'))).toBe(false);
    expect(isUnreachable(new ApiError(404, '', {}))).toBe(false);
  });
});
