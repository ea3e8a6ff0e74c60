import 'fake-indexeddb/auto';
import { QueryClient, type QueryKey } from '@tanstack/react-query';
import { entries } from 'idb-keyval';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError, NetworkError } from '@/api/errors';
import { session } from '@/api/session';
import { aUser } from '@/testing/data';
import { figureStore, persistFigures } from './figures';

const noConnection = () => Promise.reject(new NetworkError(0, 'network'));
const keys = {
  property: ['property'],
  plans: ['plans', 'list', {}],
  card: ['bank-card'],
} satisfies Record<string, QueryKey>;

/** Opens the app, with nothing in memory. */
async function open() {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  await persistFigures(client);
  const ask = (queryKey: QueryKey, queryFn: () => Promise<unknown>) =>
    client.fetchQuery({ queryKey, queryFn, staleTime: 0 }).catch(() => {});
  return { client, ask, state: (key: QueryKey) => client.getQueryState(key) };
}

const stored = () => entries(figureStore());
const kept = () => vi.waitFor(async () => expect(await stored()).toHaveLength(1), 4000);
const gone = () => vi.waitFor(async () => expect(await stored()).toEqual([]), 4000);

beforeEach(async () => {
  session.signIn({ token: 'token-1', user: aUser });
  await gone();
});

describe('the last figures', () => {
  it('come up with their time where the server cannot be reached', async () => {
    const before = await open();
    await before.ask(keys.property, async () => ({ available: '12.00' }));
    await before.ask(keys.plans, async () => ({ pages: [], pageParams: [] }));
    const at = before.state(keys.property)?.dataUpdatedAt;
    await kept();

    const after = await open();
    expect(after.state(keys.property)).toBeUndefined();
    await after.ask(keys.property, noConnection);
    expect(after.state(keys.property)).toMatchObject({
      data: { available: '12.00' },
      dataUpdatedAt: at,
      status: 'error',
    });
    await after.ask(keys.property, async () => ({ available: '13.00' }));
    expect(after.state(keys.property)).toMatchObject({ status: 'success', error: null });
  });

  it('hold nothing but what is named', async () => {
    const { ask } = await open();
    await ask(keys.card, async () => ({ number: '40001234321' }));
    await ask(keys.property, async () => ({ available: '12.00' }));
    await kept();
    expect(JSON.stringify(await stored())).not.toContain('40001234321');
  });

  it('do not stand in for an answer, be it a refusal', async () => {
    const before = await open();
    await before.ask(keys.property, async () => ({ available: '12.00' }));
    await kept();
    const after = await open();
    await after.ask(keys.property, () => Promise.reject(new ApiError(402, 'no', {})));
    expect(after.state(keys.property)?.data).toBeUndefined();
  });

  it('leave the device with whoever signs out, also what was about to be written', async () => {
    const { ask } = await open();
    await ask(keys.property, async () => ({ available: '12.00' }));
    await kept();
    await ask(keys.property, async () => ({ available: '13.00' }));
    session.clear();
    await gone();
    await new Promise((passed) => setTimeout(passed, 1200));
    expect(await stored()).toEqual([]);
  });

  it('are nobody else’s', async () => {
    const before = await open();
    await before.ask(keys.property, async () => ({ available: '12.00' }));
    await kept();
    session.signIn({ token: 'token-2', user: { ...aUser, id: 'somebody-else' } });
    await gone();
    const after = await open();
    await after.ask(keys.property, noConnection);
    expect(after.state(keys.property)?.data).toBeUndefined();
  });

  it('do not hold up the page where the browser’s storage does not answer', async () => {
    vi.resetModules();
    vi.spyOn(indexedDB, 'open').mockReturnValue({} as IDBOpenDBRequest);
    const { session: own } = await import('@/api/session');
    own.signIn({ token: 'token-1', user: aUser });
    const { persistFigures: persist } = await import('./figures');
    let opened = false;
    void persist(new QueryClient()).then(() => {
      opened = true;
    });
    await vi.waitFor(() => expect(opened).toBe(true), 4000);
  });

  it('are of no use a week later', async () => {
    const before = await open();
    await before.ask(keys.property, async () => ({ available: '12.00' }));
    await kept();
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 8 * 86_400_000);
    const after = await open();
    await after.ask(keys.property, noConnection);
    expect(after.state(keys.property)?.data).toBeUndefined();
  });
});
