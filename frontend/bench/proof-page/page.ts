/* The check as the page does it, with its workers, over a year of a busy user that is made here. */
import { checkMonths } from '@/features/wallet/check/check-months';
import { forgetWitnessed } from '@/features/wallet/check/kept';
import { utf8 } from '@/proof/bytes';
import { Transaction } from '@/proof/transaction';
import { book, filler, type Written, writeProof } from '@/testing/proof/file';
import { leafOf, log } from '@/testing/proof/log';

const [months, bills, perPage] = [12, 24_000, 100];
const week = 7 * 86_400_000;
const user = String(book);
const two = (number: number) => String(number).padStart(2, '0');
const money = (minor: number) =>
  `${minor < 0 ? '-' : ''}${Math.floor(Math.abs(minor) / 100)}.${two(Math.abs(minor) % 100)}`;

function bill(month: number, at: number): Written {
  const sequence = month * bills + at + 1;
  const time = Date.UTC(2025, month) + at * 100_000;
  const [amount, left] = [-(100 + (at % 50)), 50_000_000 - at * 120];
  const document = sequence % 2 ? (sequence * 0x9e3779b97f).toString(16).padStart(64, '0') : null;
  const key = `bill:${(sequence * 0x9e3779b97f4a).toString(16).padStart(24, '0')}`;
  return [
    ...([sequence, 4, 'plan', 42, time - 900_000, time, key, 'system', '', document] as const),
    [
      [201, book, 42, String(amount), String(left), 3],
      [501, 9, 0, String(-amount - 20), null, null],
      [403, 0, 0, '20', null, null],
    ],
  ];
}

/** The same line as the statement has it. */
const line = ([, , type, id, , at, , , , , entries]: Written) => ({
  time: new Date(at).toISOString(),
  amount: money(Number(entries[0]?.[3])),
  balance: '1.00',
  kind: 'ad_billing',
  account: 'held',
  source: 'available',
  ref: { type, id: String(id) },
});

/** The answers of the server: files, and pages of lines as text, by their address. */
const answers = new Map<string, string>();
const names = Array.from({ length: months }, (_, at) => `2025-${two(at + 1)}`);

function make(): number {
  const hash = new Uint8Array(32);
  const transaction = new Transaction();
  const books = names.map((month, number) => {
    const transactions = Array.from({ length: bills }, (_, at) => bill(number, at));
    const previous = { sequence: number * bills, hash: hash.slice() };
    for (const one of transactions) {
      const bytes = utf8(JSON.stringify(one));
      transaction.read(book, hash, bytes, 0, bytes.length);
    }
    keepPages(month, transactions);
    return { month, transactions, previous, hash: hash.slice() };
  });
  const ends = books.map((one) => leafOf(one.hash));
  const leaves = [...Array.from({ length: 300 }, (_, at) => filler(at)), ...ends];
  let bytes = 0;
  for (const [at, one] of books.entries()) {
    const text = writeProof({ ...one, leaves, index: 300 + at });
    bytes += text.length;
    answers.set(`/api/transaction_flow/proof?month=${one.month}`, text);
  }
  answers.set('/log/key', `${log.key}\n`);
  answers.set('/log/state', JSON.stringify({ public_log: null }));
  return bytes;
}

function keepPages(month: string, transactions: readonly Written[]) {
  const start = Date.parse(`${month}-01T00:00:00Z`);
  const next = new Date(start);
  const end = next.setUTCMonth(next.getUTCMonth() + 1);
  for (let from = start; from < end; from += week) {
    const until = Math.min(end, from + week);
    const lines = transactions.filter(([, , , , , at]) => at >= from && at < until).map(line);
    for (let at = 0; at === 0 || at < lines.length; at += perPage) {
      const cursor = at + perPage < lines.length ? String(at + perPage) : null;
      const data = { items: lines.slice(at, at + perPage), next_cursor: cursor };
      answers.set(listed(from, at), JSON.stringify({ code: 200, msg: '', data }));
    }
  }
}

const listed = (from: number, at: number) => `${new Date(from).toISOString()} ${at}`;

/** No network: what is measured is what the device does. */
async function answer(input: RequestInfo | URL): Promise<Response> {
  const url = new URL(String(input), location.origin);
  const { searchParams: query, pathname } = url;
  const isList = pathname === '/api/transaction_flow/list';
  const key = isList
    ? listed(Date.parse(query.get('from') ?? ''), Number(query.get('cursor') ?? 0))
    : pathname + url.search;
  const text = answers.get(key);
  if (text === undefined) throw new Error(`nobody asked for ${key}`);
  return new Response(text, { headers: { 'Content-Disposition': 'filename="proof.txt"' } });
}

async function run(cores: number) {
  Object.defineProperty(navigator, 'hardwareConcurrency', { value: cores, configurable: true });
  await forgetWitnessed(user);
  const shown: number[] = [];
  const begun = performance.now();
  const asked = { user, months: names, isWhole: true };
  const { checked } = await checkMonths(asked, new AbortController().signal, ({ percent }) =>
    shown.push(percent),
  );
  const milliseconds = performance.now() - begun;
  const passed = checked.filter(({ outcome }) => outcome.outcome === 'passed').length;
  if (passed !== months) throw new Error(`${passed} of ${months} months hold`);
  return { milliseconds, shown: new Set(shown).size };
}

window.fetch = answer;
Object.assign(window, {
  proofs: { make, run, cores: navigator.hardwareConcurrency, bills: months * bills },
});
