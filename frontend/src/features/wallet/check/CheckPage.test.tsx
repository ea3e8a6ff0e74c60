import 'fake-indexeddb/auto';
import { Blob as NodeBlob } from 'node:buffer';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Flow } from '@/api/types';
import { fakeApi, lostConnection, Refusal } from '@/testing/api';
import { aUser } from '@/testing/data';
import { aDaysPage, aProperty } from '@/testing/money-data';
import { book, filler, makeProof, someTransactions } from '@/testing/proof/file';
import { checkpointText, log, origin, signer, tilesOf, witness } from '@/testing/proof/log';
import { screenLines } from '@/testing/proof/screen';
import { InlineWorker } from '@/testing/proof/worker';
import { renderApp } from '@/testing/render-app';
import { forgetWitnessed, keepWitnessed, readWitnessed } from './kept';

vi.mock('@/proof/worker?worker', () => ({ default: InlineWorker }));

const user = { ...aUser, id: String(book) };
const now = Date.parse('2026-11-28T12:00:00Z');
const made = makeProof();
const shown = () => screenLines(someTransactions(4));

type Served = {
  text?: string;
  leaves?: readonly Uint8Array[];
  lines?: Flow[];
  available?: string;
  keys?: string;
  state?: object | null;
  /** The tiles of the log before, and its leaves. */
  old?: readonly Uint8Array[];
};

function serve({
  text = made.text,
  leaves = made.leaves,
  lines = shown(),
  available = '99999.70',
  keys = log.key,
  state = null,
  old,
}: Served = {}) {
  const folder = old ? '2/' : '';
  const tiles = [
    ...[...tilesOf(leaves)].map(([path, bytes]) => [folder + path, bytes] as const),
    ...tilesOf(old ?? []),
  ];
  const file = () =>
    new Response(text, {
      headers: { 'Content-Disposition': 'attachment; filename="placard-proof-2026-11.txt"' },
    });
  const tileAnswers = tiles.map(([path, bytes]) => [
    `GET /log/${path}`,
    () => new Response(bytes as BodyInit),
  ]);
  return fakeApi({
    'POST /user/notifications/unread_count': () => ({ unread_total: 0 }),
    'GET /transaction_flow/by_day': () => ({
      ...aDaysPage,
      choices: { ...aDaysPage.choices, first_month: '2026-11' },
    }),
    'GET /user/property': () => ({
      ...aProperty,
      available,
      withdrawing: '0.00',
      exchanging: '0.00',
      deposit: '0.00',
      promotional: '0.00',
    }),
    'GET /transaction_flow/proof': file,
    'GET /transaction_flow/list': ({ query }: { query: URLSearchParams }) => ({
      items: lines.filter(
        ({ time }) => time >= String(query.get('from')) && time < String(query.get('until')),
      ),
      next_cursor: null,
      months: [],
      sum: null,
    }),
    'GET /log/key': () => new Response(`${keys}\n`),
    'GET /log/state': () => Response.json({ public_log: state }),
    ...Object.fromEntries(tileAnswers),
  });
}

async function check(served?: Served) {
  const api = serve(served);
  renderApp('/wallet/check', user);
  await userEvent.click(await screen.findByRole('button', { name: 'Check' }));
  return api;
}

/** What an earlier check has kept. */
function keep(before: number, keys = log.key, of: readonly Uint8Array[] = made.leaves) {
  const text = checkpointText(of.slice(0, before));
  const checkpoint = `${text}\n${log.sign(text)}`;
  return keepWitnessed(user.id, { keys, checkpoint, at: now - 86_400_000, size: String(before) });
}

const gone = () => new Response(null, { status: 404 });

const passed = () => screen.findByText('Everything matches');
const failed = async (text: RegExp) => {
  expect(await screen.findByText(text)).toBeVisible();
  expect(screen.queryByText('Everything matches')).toBeNull();
};

beforeEach(async () => {
  vi.stubGlobal('Blob', NodeBlob);
  vi.useFakeTimers({ toFake: ['Date'], now });
  InlineWorker.delay = async () => {};
});
afterEach(() => forgetWitnessed(user.id));

describe('CheckPage', () => {
  it('says what is checked and what is not, and is green once all of it is', async () => {
    const api = await check();
    expect(screen.getByText(/cannot tell whether a click/)).toBeVisible();
    await passed();
    expect(screen.getByText('Transactions').nextElementSibling).toHaveTextContent('4');
    expect(screen.getByText('Lines compared').nextElementSibling).toHaveTextContent('4');
    expect(screen.getByText(/This was the first check/)).toBeVisible();
    expect(screen.getByText(/No independent witness/)).toBeVisible();
    expect(api.to('/transaction_flow/proof')[0]?.query.get('month')).toBe('2026-11');
    const kept = await readWitnessed(user.id);
    expect(kept).toMatchObject({ size: '306', keys: `${log.key}\n` });
    expect(made.text.endsWith(kept?.checkpoint ?? 'nothing')).toBe(true);
  });

  it('asks at a later check whether the log only grew', async () => {
    await keep(280);
    const api = await check();
    await passed();
    expect(screen.getByText(/The log continues the one/)).toBeVisible();
    expect(api.sent.some(({ path }) => path.startsWith('/log/tile/0/'))).toBe(true);
    expect(await readWitnessed(user.id)).toMatchObject({ size: '306' });
  });

  it('finds a line of the file that was changed', async () => {
    await check({ text: made.text.replace('"9999980"', '"9999981"') });
    await failed(/does not contain your books/);
    expect(screen.getByText(/Send them to customer service/)).toBeVisible();
    expect(await readWitnessed(user.id)).toBeNull();
  });

  it('finds a line on the screen that is not in the books, and one that is missing', async () => {
    const lines = shown();
    const other = lines.map((line, at) => (at === 1 ? { ...line, amount: '-0.20' } : line));
    await check({ lines: other });
    await failed(/shows something other/);
    expect(screen.getByText('Only in the app: Ad billing').nextElementSibling).toHaveTextContent(
      '0.20',
    );
    expect(screen.getByText('Only in the books: Ad billing').nextElementSibling).toHaveTextContent(
      '0.10',
    );
  });

  it('finds another balance on the screen', async () => {
    await check({ available: '99999.71' });
    await failed(/shows something other/);
    expect(screen.getByText('In the books: $99,999.70')).toBeVisible();
  });

  it('waits for a line that is too recent to be in the log', async () => {
    const [first] = shown();
    const recent = {
      ...(first as NonNullable<typeof first>),
      time: new Date(now - 3000).toISOString(),
    };
    await check({ lines: [...shown(), recent], available: '199999.70' });
    await passed();
    expect(screen.getByText(/1 line is too recent/)).toBeVisible();
  });

  it('finds a log that was cut back', async () => {
    await keepWitnessed(user.id, {
      keys: log.key,
      checkpoint: `${checkpointText([...made.leaves, ...made.leaves])}\n${log.sign('x\n')}`,
      at: now,
      size: '612',
    });
    await check();
    await failed(/has become shorter/);
  });

  it('finds a log that others are shown differently', async () => {
    await keep(280);
    const leaves = made.leaves.with(3, made.leaves[4] as Uint8Array);
    const text = checkpointText(leaves);
    await keepWitnessed(user.id, {
      keys: log.key,
      checkpoint: `${text}\n${log.sign(text)}`,
      at: now,
      size: '306',
    });
    await check();
    await failed(/not the log that this device saw before/);
    expect((await readWitnessed(user.id))?.checkpoint).toContain(text);
  });

  it('says that a key is another one, and trusts it only if told to', async () => {
    const next = signer(origin, 9);
    await keep(280, next.key);
    await check();
    await failed(/This is another log/);
    expect(await readWitnessed(user.id)).toMatchObject({ keys: next.key });
    await userEvent.click(screen.getByRole('button', { name: 'Trust the new log' }));
    await waitFor(async () =>
      expect(await readWitnessed(user.id)).toMatchObject({ keys: `${log.key}\n`, size: '306' }),
    );
  });

  describe('when a log was begun after another', () => {
    const old = Array.from({ length: 320 }, (_, at) => filler(at + 1000));
    const next = signer(`${origin}-2`, 7);
    /** The new log's file, which says that the old one ended with so many of these entries. */
    const begun = (end: number, of = old, by = next) => {
      const [, size, root] = checkpointText(of.slice(0, end)).split('\n');
      const { text } = makeProof({
        name: `${origin}-2`,
        extensions: [`previous ${origin} ${size} ${root} lost`],
        signatures: by.sign,
      });
      return { text, keys: `${by.key}\n${log.key}`, old: of.slice(0, end) };
    };
    const kept = async () => (await readWitnessed(user.id))?.checkpoint.split('\n')[0];

    it('goes on with it, if the old one ended where this device saw it', async () => {
      await keep(280, log.key, old);
      await check(begun(280));
      await passed();
      expect(screen.getByText('A new log was begun')).toBeVisible();
      expect(screen.getByText(/entries of the old log were lost/)).toBeVisible();
      expect(screen.getByText(/ended exactly where this device saw it on Nov 27/)).toBeVisible();
      expect(screen.queryByText(/The log continues the one/)).toBeNull();
      expect(await kept()).toBe(`${origin}-2`);
      expect((await readWitnessed(user.id))?.keys.split('\n')).toContain(next.key);
    });

    it('goes on with it, if the old one only grew until its end', async () => {
      await keep(280, log.key, old);
      await check(begun(300));
      await passed();
      expect(screen.getByText(/only added to it, until it ended with 300/)).toBeVisible();
      // And the next check knows it.
      await userEvent.click(screen.getByRole('button', { name: 'Check' }));
      await screen.findByText(/The log continues the one/);
    });

    it('says which entries are missing, and goes on only if told to', async () => {
      await keep(280, log.key, old);
      const api = serve(begun(270));
      for (const path of ['1/000.p/1', '1/000', '0/001.p/24', '0/001'])
        api.answer(`GET /log/tile/${path}`, gone);
      renderApp('/wallet/check', user);
      await userEvent.click(await screen.findByRole('button', { name: 'Check' }));
      await failed(/Missing entries of the old log, by number: 271–280/);
      expect(screen.getByText(/Send them to customer service/)).toBeVisible();
      expect(await kept()).toBe(origin);
      await userEvent.click(screen.getByRole('button', { name: 'Trust the new log' }));
      await waitFor(async () => expect(await kept()).toBe(`${origin}-2`));
    });

    it('fails, if the old one is not what this device saw', async () => {
      await keep(280, log.key, old);
      await check(begun(300, old.with(7, filler(7))));
      await failed(/does not fit what this device saw/);
      expect(screen.queryByRole('button', { name: 'Trust the new log' })).toBeNull();
      expect(await kept()).toBe(origin);
    });

    it('proves nothing without the tiles of the old one', async () => {
      await keep(280, log.key, old);
      const api = serve(begun(300));
      const paths = [...tilesOf(old.slice(0, 300)).keys(), 'tile/0/001', 'tile/1/000'];
      for (const path of paths) api.answer(`GET /log/${path}`, gone);
      renderApp('/wallet/check', user);
      await userEvent.click(await screen.findByRole('button', { name: 'Check' }));
      await failed(/parts of it cannot be downloaded/);
      expect(await kept()).toBe(origin);
    });

    it('does not go on by itself with a key that this device does not know', async () => {
      await keep(280, log.key, old);
      await check(begun(280, old, signer(`${origin}-2`, 9)));
      await failed(/signed with a key that this device does not know/);
      expect(screen.getByText(/ended exactly where/)).toBeVisible();
      expect(await kept()).toBe(origin);
    });
  });

  it('says that nothing is proved if a worker dies', async () => {
    serve();
    InlineWorker.delay = () => Promise.reject(new Error('out of memory'));
    renderApp('/wallet/check', user);
    await userEvent.click(await screen.findByRole('button', { name: 'Check' }));
    await failed(/nothing is proved/);
    expect(await readWitnessed(user.id)).toBeNull();
    expect(InlineWorker.alive.size).toBe(0);
  });

  it('ends its workers when it is stopped', async () => {
    serve();
    InlineWorker.delay = () => new Promise(() => {});
    renderApp('/wallet/check', user);
    await userEvent.click(await screen.findByRole('button', { name: 'Check' }));
    await screen.findByText('Computing…');
    await waitFor(() => expect(InlineWorker.alive.size).toBe(1));
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(InlineWorker.alive.size).toBe(0));
    expect(screen.queryByText('Everything matches')).toBeNull();
  });

  it.each(['GET /log/key', 'GET /transaction_flow/proof', 'GET /transaction_flow/list'])(
    'is never green if %s is not answered',
    async (call) => {
      const api = serve();
      api.answer(call, lostConnection);
      renderApp('/wallet/check', user);
      await userEvent.click(await screen.findByRole('button', { name: 'Check' }));
      await failed(/nothing is proved/);
      expect(await readWitnessed(user.id)).toBeNull();
    },
  );

  it.each([
    ['cannot be had', lostConnection],
    ['are not there', gone],
  ])('is never green without the tiles that prove it: they %s', async (_, answer) => {
    await keep(280);
    const api = serve();
    for (const path of [...tilesOf(made.leaves).keys(), 'tile/0/001', 'tile/1/000'])
      api.answer(`GET /log/${path}`, answer);
    renderApp('/wallet/check', user);
    await userEvent.click(await screen.findByRole('button', { name: 'Check' }));
    await failed(/nothing is proved/);
    expect(await readWitnessed(user.id)).toMatchObject({ size: '280' });
  });

  it('says that there is no log, as the server does, and not that the connection was lost', async () => {
    const api = serve();
    api.answer('GET /log/key', () => new Response(null, { status: 404 }));
    const refusal = new Refusal(405, 'There is no public log here', { error: 'no_public_log' });
    api.answer('GET /transaction_flow/proof', () => refusal);
    renderApp('/wallet/check', user);
    await userEvent.click(await screen.findByRole('button', { name: 'Check' }));
    await failed(/There is no public log here/);
  });

  it('shows who co-signed, and since when too few do', async () => {
    const w1 = { name: 'witness.example/w1', key: witness.key, cosigned_at: null };
    // Of a kind that this app does not know.
    const key = 'witness.example/w2+00000000+AAAA';
    const w2 = { name: 'witness.example/w2', key, cosigned_at: '2026-11-27T09:00:00.000Z' };
    const state = {
      size: 306,
      checkpoint_at: '2026-11-28T11:00:00.000Z',
      cosigned_at: null,
      missing_since: '2026-11-20T10:00:00.000Z',
      needed: 3,
      witnesses: [w1, w2],
    };
    await check({ state });
    await passed();
    expect(screen.getByText(/Not co-signed since Nov 20/)).toBeVisible();
    const of = (name: string) => within(screen.getByText(name).parentElement as HTMLElement);
    expect(of(w1.name).getByText('Co-signed; checked on this device')).toBeVisible();
    expect(of(w2.name).getByText('Co-signed, according to the server')).toBeVisible();
  });

  it('keeps what it saw until the user deletes it', async () => {
    await keep(280);
    serve();
    renderApp('/wallet/check', user);
    expect(await screen.findByText(/its checkpoint of 280 entries/)).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Delete' }));
    const dialog = within(await screen.findByRole('dialog'));
    await userEvent.click(dialog.getByRole('button', { name: 'Delete' }));
    await waitFor(async () => expect(await readWitnessed(user.id)).toBeNull());
  });

  it('saves the file and the earlier checkpoint', async () => {
    await keep(280);
    const saved: string[] = [];
    URL.createObjectURL = () => 'blob:proof';
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
      this: HTMLAnchorElement,
    ) {
      saved.push(this.download);
    });
    await check({ text: made.text.replace('"9999980"', '"9999981"') });
    await userEvent.click(
      await screen.findByRole('button', { name: 'Save proof and checkpoints' }),
    );
    expect(saved).toEqual(['placard-proof-2026-11.txt', 'placard-checkpoint.txt']);
  });
});
