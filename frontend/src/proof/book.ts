/** The section of a proof file with the user's book, as it was hashed. */
import { hashFromHex } from './bytes';
import { readNumber } from './checkpoint';
import { History } from './history';
import { type Line, type LineReader, nextLine } from './lines';
import { isName } from './note';
import { BadLine } from './scanner';
import { Transaction } from './transaction';

const largest = BigInt(Number.MAX_SAFE_INTEGER);
/** Whether a user has one balance of this account. Plans have one each for what they hold. */
const ownAccount = (code: number) => code > 100 && code < 200;

export type Book = {
  /** The name of the log, to be compared with the checkpoint's. */
  origin: string;
  book: number;
  /** `2026-11`, of UTC. */
  month: string;
  made: string;
  previous: number;
  previousHash: Uint8Array;
  transactions: number;
  /** The last one, and its hash, which is the log's entry. */
  last: number;
  hash: Uint8Array;
  history: History;
};

export type OnTransaction = (transaction: Transaction) => void;

export function* readBook(onTransaction: OnTransaction): LineReader<Book> {
  (yield* nextLine()).expect('placard-proof/1');
  (yield* nextLine()).expect('== book');
  const origin = read(yield* nextLine(), 'origin', (text) => (isName(text) ? text : null));
  const book = read(yield* nextLine(), 'book', readBookNumber);
  const month = read(yield* nextLine(), 'month', (text) => (periodOf(text) ? text : null));
  const made = read(yield* nextLine(), 'made', readMoment);
  const previous = read(yield* nextLine(), 'previous', readPrevious);
  const line = yield* nextLine();
  const count = read(line, 'transactions', readCount);
  if (count === 0 && previous.sequence === 0) line.fail('form', 'it proves nothing');
  const history = new History(previous.sequence, previous.hash);
  const hash = previous.hash.slice();
  const state = { book, month, first: previous.sequence + 1, hash, history };
  yield* readTransactions(state, count, onTransaction);
  const last = previous.sequence + count;
  return {
    origin,
    book,
    month,
    made,
    previous: previous.sequence,
    previousHash: previous.hash,
    transactions: count,
    last,
    hash,
    history,
  };
}

function read<T>(line: Line, name: string, from: (text: string) => T | null): T {
  return from(line.field(name)) ?? line.fail('form', `${name} is none`);
}

type Reading = { book: number; month: string; first: number; hash: Uint8Array; history: History };

function* readTransactions(
  { book, month, first, hash, history }: Reading,
  count: number,
  onTransaction: OnTransaction,
): LineReader<void> {
  const { from, until } = periodOf(month) ?? { from: 0, until: 0 };
  const transaction = new Transaction();
  for (let sequence = first; sequence < first + count; sequence += 1) {
    const line = yield* nextLine();
    readLine(transaction, book, hash, line);
    const { recordedAt } = transaction;
    if (transaction.sequence !== sequence) line.fail('form', `expected transaction ${sequence}`);
    // A clock may have been set back within the month.
    if (recordedAt >= until || (sequence === first && recordedAt < from)) {
      line.fail('form', 'the transaction is of another month');
    }
    history.addHash(sequence, hash);
    for (let at = 0; at < transaction.count; at += 1) {
      const entry = transaction.entry(at);
      if (entry?.owner !== book || !ownAccount(entry.account)) continue;
      const balance = entry.balance();
      if (balance !== null) history.addBalance(sequence, entry, BigInt(balance));
    }
    onTransaction(transaction);
  }
}

function readLine(transaction: Transaction, book: number, hash: Uint8Array, line: Line) {
  try {
    transaction.read(book, hash, line.bytes, line.from, line.to);
  } catch (error) {
    if (error instanceof BadLine) line.fail('form', error.message);
    throw error;
  }
}

function readBookNumber(text: string): number | null {
  const negative = text.startsWith('-');
  const number = readNumber(negative ? text.slice(1) : text, largest);
  if (number === null || (negative && number === 0n)) return null;
  return Number(negative ? -number : number);
}

function readCount(text: string): number | null {
  const number = readNumber(text, largest);
  return number === null ? null : Number(number);
}

function readPrevious(text: string): { sequence: number; hash: Uint8Array } | null {
  const [number = '', hex = '', more] = text.split(' ');
  const sequence = readCount(number);
  const hash = hashFromHex(hex);
  if (sequence === null || !hash || more !== undefined) return null;
  if (sequence === 0 && hash.some((byte) => byte !== 0)) return null;
  return { sequence, hash };
}

/** The time from the month's first millisecond up to the next month's. */
function periodOf(month: string): { from: number; until: number } | null {
  const [, year = '', of = ''] = /^([0-9]{4})-([0-9]{2})$/.exec(month) ?? [];
  const [first, number] = [Number(year), Number(of)];
  if (first < 1970 || number < 1 || number > 12) return null;
  return { from: Date.UTC(first, number - 1), until: Date.UTC(first, number) };
}

function readMoment(text: string): string | null {
  if (!/^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$/.test(text)) return null;
  const time = new Date(text);
  // A day that no month has would be moved to the next.
  const real = time.getTime() >= 0 && time.toISOString() === text.replace('Z', '.000Z');
  return real ? text : null;
}
