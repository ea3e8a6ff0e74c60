import { sha256 } from '@noble/hashes/sha2.js';
import { bigEndian, concat, toBase64, toHex, utf8 } from '@/proof/bytes';
import { origin } from './log';

const names = ['available', 'pending', 'deposit', 'held_available', 'advance'];
type Node = { hash: Uint8Array; sums: bigint[] };

const numbers = (values: readonly bigint[]) => concat(...values.map(bigEndian));
const salt = new Uint8Array(32).fill(3);

function leaf(transaction: Uint8Array, sequence: number, sums: bigint[]): Node {
  const parts = [utf8('placard balance 1'), salt, transaction, bigEndian(BigInt(sequence))];
  return { hash: sha256(concat(...parts, numbers(sums))), sums };
}

function above(one: Node, other: Node): Node {
  const parts = [one.hash, numbers(one.sums), other.hash, numbers(other.sums)];
  const sums = one.sums.map((sum, at) => sum + (other.sums[at] ?? 0n));
  return { hash: sha256(concat(utf8('placard sum 1'), ...parts)), sums };
}

/** Four leaves; the user's is the second. */
export function someBalances(
  hashes: readonly Uint8Array[],
  own: Record<string, bigint> = { available: 9_999_970n },
) {
  const last = hashes.length - 1;
  const balances = names.map((name) => own[name] ?? 0n);
  const nobody = names.map(() => 0n);
  const somebody = names.map((_, at) => BigInt(1000 + at));
  const user = leaf(hashes[last] ?? new Uint8Array(32), last, balances);
  const left = leaf(sha256(utf8('somebody')), 77, somebody);
  const empty = leaf(new Uint8Array(32), 0, nobody);
  const right = above(empty, empty);
  const root = above(above(left, user), right);
  const sum = ({ hash, sums }: Node) => `sum: ${toBase64(hash)} ${sums.join(' ')}\n`;
  const record = [
    'placard balances 1',
    `origin: ${origin}`,
    'day: 2026-11-27',
    'leaves: 4',
    `accounts: ${names.join(' ')}`,
    `totals: ${root.sums.join(' ')}`,
    `root: ${toBase64(root.hash)}\n`,
  ].join('\n');
  const text = `leaf: 1 ${toHex(salt)} ${last} ${balances.join(' ')}\n${sum(left)}${sum(right)}`;
  return { record, text };
}
