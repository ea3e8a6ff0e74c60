import 'fake-indexeddb/auto';
import { Blob as NodeBlob } from 'node:buffer';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Flow } from '@/api/types';
import { fakeApi, lostConnection, Refusal } from '@/testing/api';
import { aProperty } from '@/testing/money-data';
import { book, chain, makeMonths, type Written, writeProof } from '@/testing/proof/file';
import { log, tilesOf } from '@/testing/proof/log';
import { screenLines } from '@/testing/proof/screen';
import { InlineWorker } from '@/testing/proof/worker';
import { checkMonths } from './check-months';
import { forgetWitnessed, readWitnessed } from './kept';
import type { Running } from './progress';

vi.mock('@/proof/worker?worker', () => ({ default: InlineWorker }));

const user = String(book);
const now = Date.parse('2026-11-28T12:00:00Z');
const all = makeMonths(6);
const names = all.map(({ month }) => month);
const leaves = all[0]?.leaves ?? [];

type Month = { text: string | (() => never) | Refusal; lines: Flow[] };
type Damage = (at: number) => Month;

const monthAt = (at: number) => all[at] as (typeof all)[number];
const whole: Damage = (at) => {
  const month = monthAt(at);
  return { text: writeProof(month), lines: screenLines(month.transactions) };
};
const text = (at: number) => String(whole(at).text);

/** What can be wrong with a month, and what the check says of it. */
const damages: Record<string, Damage> = {
  form: (at) => ({ ...whole(at), text: text(at).replace('== inclusion', '== exclusion') }),
  inclusion: (at) => ({ ...whole(at), text: text(at).replace(/"plan",(\d)/, '"plan",1$1') }),
  signature: (at) => {
    const signatures = (checkpoint: string) => log.sign(`${checkpoint}more\n`);
    return { ...whole(at), text: writeProof({ ...monthAt(at), signatures }) };
  },
  month: (at) => ({ ...whole(at), text: text((at + 1) % all.length) }),
  screen: (at) => ({ ...whole(at), lines: whole(at).lines.slice(1) }),
  // A transaction is missing in the file and on the screen.
  gap: (at) => {
    const { transactions, previous, ...month } = monthAt(at);
    const [first] = transactions as [Written];
    const hash = chain(previous.hash, [first]).at(-1) ?? previous.hash;
    const rest = transactions.slice(1);
    const before = { sequence: previous.sequence + 1, hash };
    return {
      text: writeProof({ ...month, transactions: rest, previous: before }),
      lines: screenLines(rest),
    };
  },
  unknown: (at) => ({ ...whole(at), text: lostConnection }),
  refused: (at) => ({ ...whole(at), text: new Refusal(405, 'no', { error: 'public_log_behind' }) }),
};

const nothing = '0.00';
const balances = {
  available: '99999.80',
  withdrawing: nothing,
  exchanging: nothing,
  deposit: nothing,
  promotional: nothing,
};

function serve(months: readonly Month[]) {
  const served = (month: string) => months[names.indexOf(month)] as Month;
  return fakeApi({
    'GET /log/key': () => new Response(`${log.key}\n`),
    'GET /log/state': () => Response.json({ public_log: null }),
    'GET /user/property': () => ({ ...aProperty, ...balances }),
    'GET /transaction_flow/proof': ({ query }) => {
      const given = served(String(query.get('month'))).text;
      if (typeof given === 'function') return given();
      return typeof given === 'string'
        ? new Response(given, { headers: { 'Content-Disposition': 'filename="proof.txt"' } })
        : given;
    },
    'GET /transaction_flow/list': ({ query }) => ({
      items: served(String(query.get('from')).slice(0, 7)).lines.filter(
        ({ time }) => time >= String(query.get('from')) && time < String(query.get('until')),
      ),
      next_cursor: null,
    }),
    ...Object.fromEntries(
      [...tilesOf(leaves)].map(([path, bytes]) => [
        `GET /log/${path}`,
        () => new Response(bytes as BodyInit),
      ]),
    ),
  });
}

/** A row of numbers that is the same each time. */
function numbers(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
}

const withCores = (count: number) =>
  vi.spyOn(navigator, 'hardwareConcurrency', 'get').mockReturnValue(count);

async function run(months: readonly Month[], cores: number, seed = 1) {
  withCores(cores);
  const random = numbers(seed);
  InlineWorker.most = 0;
  InlineWorker.delay = () => new Promise((resolve) => setTimeout(resolve, random(4)));
  await forgetWitnessed(user);
  serve(months);
  const shown: Running[] = [];
  const asked = { user, months: names, isWhole: true };
  const done = await checkMonths(asked, new AbortController().signal, (one) =>
    shown.push(one),
  ).then(
    ({ checked, kept }) => ({ checked, kept }),
    (error) => ({ error: String(error) }),
  );
  expect(InlineWorker.alive.size).toBe(0);
  return { done, shown, kept: await readWitnessed(user), workers: InlineWorker.most };
}

const verdict = ({ done }: Awaited<ReturnType<typeof run>>) => {
  if ('error' in done) return ['unknown'];
  return done.checked.map(({ outcome }) =>
    outcome.outcome === 'failed' ? outcome.fault : outcome.outcome,
  );
};

beforeEach(() => {
  vi.stubGlobal('Blob', NodeBlob);
  vi.useFakeTimers({ toFake: ['Date'], now });
});
afterEach(() => forgetWitnessed(user));

describe('a check of several months', () => {
  it.each([
    [1, 2],
    [2, 3],
    [4, 5],
    [16, 5],
  ])(
    'takes a worker for each of %i cores, up to four, and one to judge',
    async (cores, workers) => {
      const result = await run(
        names.map((_, at) => whole(at)),
        cores,
      );
      expect(verdict(result)).toEqual(names.map(() => 'passed'));
      expect(result.workers).toBe(workers);
    },
  );

  it.each(Object.keys(damages))('stops at a month with a fault: %s', async (fault) => {
    for (const bad of [0, 2, names.length - 1]) {
      const months = names.map((_, at) => (at === bad ? damages[fault] : whole)?.(at) as Month);
      const result = await run(months, 4, bad + 1);
      const stopped = ['unknown', 'refused'].includes(fault);
      const expected = [...names.slice(0, bad).map(() => 'passed'), fault];
      expect([bad, verdict(result)]).toEqual([bad, stopped ? ['unknown'] : expected]);
    }
  });

  it('comes to the same, however many months are read at once', async () => {
    const faults = Object.values(damages);
    for (let seed = 1; seed <= 30; seed += 1) {
      const random = numbers(seed);
      const months = names.map((_, at) => {
        const damage = random(5) === 0 ? faults[random(faults.length)] : whole;
        return damage?.(at) as Month;
      });
      const [one, four] = [await run(months, 1, seed), await run(months, 4, seed)];
      expect(four.done).toEqual(one.done);
      expect(four.kept).toEqual(one.kept);
    }
  });

  it('shows a progress that only grows, of the oldest month that is not done', async () => {
    const { shown } = await run(
      names.map((_, at) => whole(at)),
      4,
    );
    const grows = (row: readonly (number | string)[]) =>
      expect(row).toEqual(row.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)));
    grows(shown.map(({ percent }) => percent));
    grows(shown.map(({ month }) => month));
    expect(shown.at(-1)).toMatchObject({ percent: 100 });
  });

  it('holds no more months than it has readers', async () => {
    withCores(2);
    InlineWorker.delay = () => new Promise(() => {});
    const api = serve(names.map((_, at) => whole(at)));
    const stopped = new AbortController();
    const asked = { user, months: names, isWhole: true };
    const done = checkMonths(asked, stopped.signal, () => {});
    await vi.waitFor(() => expect(InlineWorker.alive.size).toBe(2));
    expect(api.to('/transaction_flow/proof')).toHaveLength(2);
    stopped.abort();
    await expect(done).rejects.toThrow();
    expect(InlineWorker.alive.size).toBe(0);
  });

  it('does not take a month for broken that had only just ended when its file was made', async () => {
    const early = (one: Month): Month => ({
      ...one,
      text: String(one.text).replace('made: 2026-11-28T12:00:00Z', 'made: 2026-10-01T00:00:59Z'),
    });
    const months = names.map((_, at) => whole(at));
    const september = names.indexOf('2026-09');
    months[september] = early(months[september] as Month);
    months[september + 1] = damages.gap?.(september + 1) as Month;
    expect(verdict(await run(months, 4))).toEqual(['unknown']);
  });
});
