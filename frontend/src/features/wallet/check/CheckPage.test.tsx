import 'fake-indexeddb/auto';
import { Blob as NodeBlob } from 'node:buffer';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Task } from '@/proof/check';
import { type Answer, answer } from '@/proof/worker';
import { fakeApi, lostConnection, Refusal } from '@/testing/api';
import { aUser } from '@/testing/data';
import { aDaysPage, aProperty } from '@/testing/money-data';
import { book, makeProof, someTransactions } from '@/testing/proof/file';
import { checkpointText, log, origin, signer, tilesOf, witness } from '@/testing/proof/log';
import { renderApp } from '@/testing/render-app';
import { forgetWitnessed, keepWitnessed, readWitnessed } from './kept';

/** Answers as the real one does, though not in a thread of its own. */
class InlineWorker {
  onmessage: ((event: { data: Answer }) => void) | null = null;
  onerror = null;

  postMessage(task: Task) {
    void answer(task, (data) => this.onmessage?.({ data }));
  }

  terminate() {
    this.onmessage = null;
  }
}
vi.mock('@/proof/worker?worker', () => ({ default: InlineWorker }));

const user = { ...aUser, id: String(book) };
const now = Date.parse('2026-11-28T12:00:00Z');
const made = makeProof();
const kinds = ['', 'system_top_up', '', 'ad_billing'];
const decimal = (minor: string) => (Number(minor) / 100).toFixed(2);

/** The lines of the file's transactions, as the server lists them. */
function screenLines() {
  return someTransactions(4).flatMap(([, , type, id, , at, , , , , entries]) =>
    entries
      .filter(([, owner, , , , flow]) => owner === book && flow !== null)
      .map(([, , , amount, balance, flow]) => ({
        id: `${id}`,
        time: new Date(at).toISOString(),
        amount: decimal(amount),
        balance: decimal(balance ?? '0'),
        kind: kinds[flow ?? 0] ?? '',
        remark: '',
        ref: { type, id: String(id) },
        account: 'available',
        added: false,
        source: null,
      })),
  );
}

type Served = {
  text?: string;
  leaves?: readonly Uint8Array[];
  lines?: ReturnType<typeof screenLines>;
  available?: string;
  keys?: string;
  state?: object | null;
};

function serve({
  text = made.text,
  leaves = made.leaves,
  lines = screenLines(),
  available = '99999.70',
  keys = log.key,
  state = null,
}: Served = {}) {
  const tiles = tilesOf(leaves);
  const file = () =>
    new Response(text, {
      headers: { 'Content-Disposition': 'attachment; filename="placard-proof-2026-11.txt"' },
    });
  const tileAnswers = [...tiles].map(([path, bytes]) => [
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
function keep(before: number, keys = log.key) {
  const text = checkpointText(made.leaves.slice(0, before));
  const checkpoint = `${text}\n${log.sign(text)}`;
  return keepWitnessed(user.id, { keys, checkpoint, at: now - 86_400_000, size: String(before) });
}

const passed = () => screen.findByText('Everything matches');
const failed = async (text: RegExp) => {
  expect(await screen.findByText(text)).toBeVisible();
  expect(screen.queryByText('Everything matches')).toBeNull();
};

beforeEach(async () => {
  vi.stubGlobal('Blob', NodeBlob);
  vi.useFakeTimers({ toFake: ['Date'], now });
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
    const lines = screenLines();
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
    const [first] = screenLines();
    const recent = {
      ...(first as NonNullable<typeof first>),
      time: new Date(now - 3000).toISOString(),
    };
    await check({ lines: [...screenLines(), recent], available: '199999.70' });
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

  it('is never green without the tiles that prove it', async () => {
    await keep(280);
    const api = serve();
    for (const path of tilesOf(made.leaves).keys()) api.answer(`GET /log/${path}`, lostConnection);
    renderApp('/wallet/check', user);
    await userEvent.click(await screen.findByRole('button', { name: 'Check' }));
    await failed(/nothing is proved/);
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
