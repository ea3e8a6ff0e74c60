/** The section of a proof file that shows the user's balances to be part of a day's totals. */
import { sha256 } from '@noble/hashes/sha2.js';
import type { Book } from './book';
import { bigEndian, concat, hashFromBase64, hashFromHex, same, utf8 } from './bytes';
import { readNumber } from './checkpoint';
import { ProofFailure } from './failure';
import { type Line, nextLine } from './lines';
import { type Hash, includes, leafHash, longestPath, type TreeHead } from './tree';

/** The accounts that a book's entries have one balance of, with their numbers there. */
const compared = new Map([
  ['available', 101],
  ['pending', 102],
  ['withdrawing', 103],
  ['exchanging', 104],
  ['deposit', 105],
  ['promotional', 106],
  // In a book, what the user owes is negative.
  ['advance', 107],
]);

const most = 2n ** 63n - 1n;
const leafMark = utf8('placard balance 1');
const sumMark = utf8('placard sum 1');

type Node = { hash: Hash; sums: readonly bigint[] };

export type Balances = {
  day: string;
  leaves: bigint;
  totals: readonly bigint[];
  /** The user's own, as of this transaction of the book. */
  sequence: number;
  own: readonly bigint[];
  /** The record's place in the log, with its inclusion proof. */
  entry: { record: Hash; index: bigint; proof: readonly Hash[]; line: number };
};

const numbers = (values: readonly bigint[]) => concat(...values.map(bigEndian));

function above(left: Node, right: Node): Node {
  const hash = sha256(
    concat(sumMark, left.hash, numbers(left.sums), right.hash, numbers(right.sums)),
  );
  return { hash, sums: left.sums.map((sum, at) => sum + (right.sums[at] ?? 0n)) };
}

/** Reads the section after its heading, up to the next heading, which it takes. */
export function* readBalances(book: Book): Generator<void, Balances, Line | null> {
  const record = yield* readRecord(book.origin);
  const count = record.names.length;
  const leaf = yield* nextLine();
  const place = readLeaf(leaf, count);
  const leafLine = leaf.number;
  // All books begin with the same hash, so two users without transactions could be shown the same
  // leaf.
  if (place.sequence === 0) leaf.fail('balances', "the balances are nobody's");
  if (place.sequence < book.previous || place.sequence > book.last) {
    leaf.fail('form', 'the balances are of another month');
  }
  if (place.index >= record.leaves) leaf.fail('balances', 'there is no such leaf');
  const transaction = book.history.hashOf(place.sequence);
  const sequence = bigEndian(BigInt(place.sequence));
  const hash = sha256(concat(leafMark, place.salt, transaction, sequence, numbers(place.own)));
  let node: Node = { hash, sums: place.own };
  let at = place.index;
  let line = yield* nextLine();
  for (let width = record.leaves; width > 1n; width /= 2n, at /= 2n) {
    const sibling = readSum(line, count);
    node = at % 2n === 0n ? above(node, sibling) : above(sibling, node);
    if (node.sums.some((sum) => sum > most)) line.fail('balances', 'the sums are too large');
    line = yield* nextLine();
  }
  const summed = node.sums.every((sum, of) => sum === record.totals[of]);
  if (!summed || !same(node.hash, record.root)) {
    line.fail('balances', 'the balances are not part of the totals');
  }
  compare(book, record.names, place, leafLine);
  const index = numberIn(line, line.field('index'));
  const indexLine = line.number;
  const proof = yield* readProof();
  const entry = { record: record.hash, index, proof, line: indexLine };
  return {
    day: record.day,
    leaves: record.leaves,
    totals: record.totals,
    sequence: place.sequence,
    own: place.own,
    entry,
  };
}

type Record = {
  names: readonly string[];
  day: string;
  leaves: bigint;
  totals: readonly bigint[];
  root: Hash;
  hash: Hash;
};

function* readRecord(origin: string): Generator<void, Record, Line | null> {
  let text = '';
  const keep = (line: Line) => {
    text += `${line.text()}\n`;
    return line;
  };
  keep(yield* nextLine()).expect('placard balances 1');
  keep(yield* nextLine()).expect(`origin: ${origin}`);
  const dayLine = keep(yield* nextLine());
  const day = dayLine.field('day');
  if (!/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(day)) dayLine.fail('form', 'day is none');
  const leavesLine = keep(yield* nextLine());
  const leaves = numberIn(leavesLine, leavesLine.field('leaves'));
  if (leaves === 0n || (leaves & (leaves - 1n)) !== 0n) {
    leavesLine.fail('form', 'leaves are no power of two');
  }
  const accountsLine = keep(yield* nextLine());
  const names = accountsLine.field('accounts').split(' ');
  if (names.includes('') || new Set(names).size < names.length) {
    accountsLine.fail('form', 'accounts are none');
  }
  const totalsLine = keep(yield* nextLine());
  const totals = sumsIn(totalsLine, totalsLine.field('totals').split(' '), names.length);
  const rootLine = keep(yield* nextLine());
  const root = hashFromBase64(rootLine.field('root')) ?? rootLine.fail('form', 'root is none');
  return { names, day, leaves, totals, root, hash: sha256(utf8(text)) };
}

type Place = { index: bigint; salt: Uint8Array; sequence: number; own: readonly bigint[] };

function readLeaf(line: Line, count: number): Place {
  const [index = '', hex = '', number = '', ...balances] = line.field('leaf').split(' ');
  const salt = hashFromHex(hex) ?? line.fail('form', 'the salt is none');
  const sequence = numberIn(line, number);
  if (sequence > BigInt(Number.MAX_SAFE_INTEGER)) line.fail('form', 'a number is too large');
  return {
    index: numberIn(line, index),
    salt,
    sequence: Number(sequence),
    own: sumsIn(line, balances, count),
  };
}

function readSum(line: Line, count: number): Node {
  const [encoded = '', ...sums] = line.field('sum').split(' ');
  const hash = hashFromBase64(encoded) ?? line.fail('form', 'a hash is none');
  return { hash, sums: sumsIn(line, sums, count) };
}

function numberIn(line: Line, text: string): bigint {
  return readNumber(text) ?? line.fail('form', 'a number is none');
}

function sumsIn(line: Line, texts: readonly string[], count: number): bigint[] {
  if (texts.length !== count) line.fail('form', 'not a number for each account');
  return texts.map((text) => numberIn(line, text));
}

/** The `hash:` lines up to the next section's heading. */
function* readProof(): Generator<void, Hash[], Line | null> {
  const proof: Hash[] = [];
  for (;;) {
    const line = yield* nextLine();
    if (line.text() === '== inclusion') return proof;
    proof.push(hashFromBase64(line.field('hash')) ?? line.fail('form', 'a hash is none'));
    if (proof.length > longestPath) line.fail('form', 'a proof is too long');
  }
}

/** Compares the balances with the book, where the file shows them. */
function compare(
  { history }: Book,
  names: readonly string[],
  { sequence, own }: Place,
  line: number,
) {
  const known = history.balancesAt(sequence);
  for (const [at, name] of names.entries()) {
    const shown = known.get(compared.get(name) ?? 0);
    if (shown !== undefined && own[at] !== (name === 'advance' ? -shown : shown)) {
      throw new ProofFailure('balances', `${name} is another one in the book`, line);
    }
  }
}

/** Whether the log has the day's record. */
export function isInLog({ entry: { record, index, proof } }: Balances, head: TreeHead): boolean {
  return includes(leafHash(record), index, head, proof);
}
