/** Proof files for tests, made by other means than they are read by. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bigEndian, concat, hashFromHex, toBase64, toHex, utf8 } from '@/proof/bytes';
import { checkpointText, leafOf, log, origin, pathOf, witness } from './log';

export type Entry = [number, number, number, string, string | null, number | null];
export type Written = [
  sequence: number,
  kind: number,
  refType: string,
  refId: number,
  eventAt: number,
  recordedAt: number,
  key: string | null,
  actor: string,
  reason: string,
  document: string | null,
  entries: Entry[],
];

const number = (value: number | bigint | string) => bigEndian(BigInt.asUintN(64, BigInt(value)));
const text = (value: string) => concat(number(utf8(value).length), utf8(value));
const optional = <T>(value: T | null, encode: (value: T) => Uint8Array) =>
  value === null ? Uint8Array.of(0) : concat(Uint8Array.of(1), encode(value));

/** The ledger's hash, as docs/PROOF.md describes it. */
export function hashOf(book: number, previous: Uint8Array, written: Written): Uint8Array {
  const [
    sequence,
    kind,
    refType,
    refId,
    eventAt,
    recordedAt,
    key,
    actor,
    reason,
    document,
    entries,
  ] = written;
  const lines = entries.map(([account, owner, plan, amount, balance, flow]) =>
    concat(
      ...[account, owner, plan, amount].map(number),
      optional(flow, number),
      optional(balance, number),
    ),
  );
  return sha256(
    concat(
      text(`placard ledger ${document === null ? 1 : 2}`),
      previous,
      ...[book, sequence, kind].map(number),
      text(refType),
      ...[refId, eventAt, recordedAt].map(number),
      optional(key, text),
      text(actor),
      text(reason),
      document === null ? new Uint8Array() : (hashFromHex(document) ?? new Uint8Array()),
      number(entries.length),
      ...lines,
    ),
  );
}

export const book = 5;
const day = 86_400_000;
const from = Date.UTC(2026, 10, 1);

/** A recharge, and then bills of a plan, whose lines the user sees. */
export function someTransactions(count: number, start = from, first = 1): Written[] {
  const step = Math.min(day, Math.floor((27 * day) / count));
  return Array.from({ length: count }, (_, at): Written => {
    const sequence = first + at;
    const time = start + at * step;
    const left = 10_000_000 - 10 * at;
    const reason = at % 7 === 3 ? 'Grüße, "quoted"\n広告\u001f' : '';
    const entries: Entry[] =
      at === 0
        ? [
            [101, book, 0, '10000000', '10000000', 1],
            [401, 0, 0, '-10000000', null, null],
          ]
        : [
            [101, book, 0, '-10', String(left), 3],
            [403, 0, 0, '10', null, null],
          ];
    const kind = at === 0 ? 1 : 4;
    const document = at % 5 === 2 ? toHex(sha256(utf8(String(at)))) : null;
    const key = at % 3 === 0 ? `key-${at}` : null;
    return [
      sequence,
      kind,
      at === 0 ? 'recharge' : 'plan',
      40 + at,
      time - 5,
      time,
      key,
      `user:${book}`,
      reason,
      document,
      entries,
    ];
  });
}

export const filler = (at: number) => leafOf(sha256(utf8(`somebody else's ${at}`)));
const fillers = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => filler(from + at));
const both = (checkpoint: string) =>
  log.sign(checkpoint) + witness.cosign(checkpoint, 1_795_860_000);

/** The hashes of transactions, the one before them first. */
export function chain(previous: Uint8Array, transactions: readonly Written[]): Uint8Array[] {
  const hashes = [previous];
  for (const written of transactions) {
    hashes.push(hashOf(book, hashes.at(-1) ?? previous, written));
  }
  return hashes;
}

type Month = {
  month: string;
  transactions: readonly Written[];
  previous: Previous;
  /** The log, and where it has the last transaction. */
  leaves: readonly Uint8Array[];
  index: number;
  name?: string;
  extensions?: readonly string[];
  signatures?: (checkpoint: string) => string;
  /** Lines between the book and its inclusion. */
  section?: readonly string[];
};

/** The file of a month, with the checkpoint of such a log. */
export function writeProof({
  month,
  transactions,
  previous,
  leaves,
  index,
  name = origin,
  extensions = [],
  signatures = both,
  section = [],
}: Month): string {
  const checkpoint = checkpointText(leaves, { name, extensions });
  return [
    'placard-proof/1',
    '== book',
    `origin: ${name}`,
    `book: ${book}`,
    `month: ${month}`,
    'made: 2026-11-28T12:00:00Z',
    `previous: ${previous.sequence} ${toHex(previous.hash)}`,
    `transactions: ${transactions.length}`,
    ...transactions.map((written) => JSON.stringify(written)),
    ...section,
    '== inclusion',
    'c2sp.org/tlog-proof@v1',
    `index ${index}`,
    ...pathOf(index, leaves).map(toBase64),
    '',
    `${checkpoint}\n${signatures(checkpoint)}`,
  ].join('\n');
}

type Options = Partial<Omit<Month, 'leaves' | 'index' | 'section'>> & {
  /** The log's leaves before the file's own. */
  before?: number;
  after?: number;
  /** The day's balances, whose record becomes a leaf. */
  balances?: (hashes: readonly Uint8Array[]) => { record: string; text: string };
};

type Previous = { sequence: number; hash: Uint8Array };

const beginning: Previous = { sequence: 0, hash: new Uint8Array(32) };

/** A month whose last transaction, and day, are somewhere in a log. */
export function makeProof({
  month = '2026-11',
  transactions = someTransactions(4),
  previous = beginning,
  before = 300,
  after = 5,
  balances,
  ...more
}: Options = {}) {
  const hashes = chain(previous.hash, transactions);
  const hash = hashes.at(-1) ?? previous.hash;
  const today = balances?.(hashes);
  const leaves: Uint8Array[] = [
    ...fillers(0, before),
    leafOf(hash),
    ...(today ? [leafOf(sha256(utf8(today.record)))] : []),
    ...fillers(before, before + after),
  ];
  const path = today ? pathOf(before + 1, leaves).map(toBase64) : [];
  const section = today && [
    '== balances',
    `${today.record}${today.text}index: ${before + 1}`,
    ...path.map((one) => `hash: ${one}`),
  ];
  const text = writeProof({
    month,
    transactions,
    previous,
    leaves,
    index: before,
    section,
    ...more,
  });
  return { text, leaves, hash };
}

/** A book of several months of 2026, up to November, all of whose ends are in one log. */
export function makeMonths(count: number, each = 3) {
  let previous: Previous = beginning;
  const books = Array.from({ length: count }, (_, at) => {
    const number = 11 - count + at;
    const first = previous.sequence + 1;
    const transactions = someTransactions(each, Date.UTC(2026, number), first);
    const begin = previous;
    const hash = chain(begin.hash, transactions).at(-1) ?? begin.hash;
    previous = { sequence: begin.sequence + each, hash };
    const month = `2026-${String(number + 1).padStart(2, '0')}`;
    return { month, transactions, previous: begin, hash };
  });
  const leaves = [
    ...fillers(0, 300),
    ...books.map(({ hash }) => leafOf(hash)),
    ...fillers(300, 305),
  ];
  return books.map((one, at) => ({ ...one, leaves, index: 300 + at }));
}
