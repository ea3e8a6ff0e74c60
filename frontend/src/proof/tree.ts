/** The tree of RFC 6962, section 2.1, and its proofs, verified as RFC 9162 writes it down. */
import { sha256 } from '@noble/hashes/sha2.js';
import { concat, same } from './bytes';

export type Hash = Uint8Array;
export type TreeHead = { size: bigint; root: Hash };

const leafMark = Uint8Array.of(0);
const nodeMark = Uint8Array.of(1);

/** No proof in a tree of up to 2⁶³ leaves has more hashes. */
export const longestPath = 63;

export const leafHash = (content: Uint8Array): Hash => sha256(concat(leafMark, content));
export const nodeHash = (left: Hash, right: Hash): Hash => sha256(concat(nodeMark, left, right));
export const emptyRoot = (): Hash => sha256(new Uint8Array());

/** Whether the proof shows that the leaf is the `index`-th of the tree, counted from 0. */
export function includes(
  leaf: Hash,
  index: bigint,
  { size, root }: TreeHead,
  proof: readonly Hash[],
): boolean {
  if (index >= size) return false;
  let at = index;
  let last = size - 1n;
  let found = leaf;
  for (const hash of proof) {
    if (last === 0n) return false;
    if (at % 2n === 1n || at === last) {
      found = nodeHash(hash, found);
      while (at % 2n === 0n && at > 0n) [at, last] = [at / 2n, last / 2n];
    } else {
      found = nodeHash(found, hash);
    }
    [at, last] = [at / 2n, last / 2n];
  }
  return last === 0n && same(found, root);
}

/** Whether the proof shows that one tree is the beginning of another. */
export function extendsTree(older: TreeHead, newer: TreeHead, proof: readonly Hash[]): boolean {
  if (older.size > newer.size) return false;
  if (older.size === newer.size) return proof.length === 0 && same(older.root, newer.root);
  if (older.size === 0n) return proof.length === 0 && same(older.root, emptyRoot());
  let at = older.size - 1n;
  let last = newer.size - 1n;
  while (at % 2n === 1n) [at, last] = [at / 2n, last / 2n];
  // A complete older tree is a node of the newer one, and is left out of the proof.
  const [begin, ...rest] = at === 0n ? [older.root, ...proof] : proof;
  if (!begin) return false;
  let before = begin;
  let after = begin;
  for (const hash of rest) {
    if (last === 0n) return false;
    if (at % 2n === 1n || at === last) {
      before = nodeHash(hash, before);
      after = nodeHash(hash, after);
      while (at % 2n === 0n && at > 0n) [at, last] = [at / 2n, last / 2n];
    } else {
      after = nodeHash(after, hash);
    }
    [at, last] = [at / 2n, last / 2n];
  }
  return last === 0n && same(before, older.root) && same(after, newer.root);
}
