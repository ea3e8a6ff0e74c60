/** A log for tests: a tree, its proofs as RFC 6962 defines them by recursion, and signed checkpoints. */
import { getPublicKey, hashes, sign } from '@noble/ed25519';
import { sha256, sha512 } from '@noble/hashes/sha2.js';
import { bigEndian, concat, toBase64, toHex, utf8 } from '@/proof/bytes';

hashes.sha512 = sha512;

export const origin = 'ads.example.com/placard';

export const leafOf = (entry: Uint8Array) => sha256(concat(Uint8Array.of(0), entry));

function split(count: number): number {
  let left = 1;
  while (left * 2 < count) left *= 2;
  return left;
}

export function rootOf(leaves: readonly Uint8Array[]): Uint8Array {
  const [first] = leaves;
  if (!first) return sha256(new Uint8Array());
  if (leaves.length === 1) return first;
  const left = split(leaves.length);
  return sha256(
    concat(Uint8Array.of(1), rootOf(leaves.slice(0, left)), rootOf(leaves.slice(left))),
  );
}

export function pathOf(index: number, leaves: readonly Uint8Array[]): Uint8Array[] {
  if (leaves.length <= 1) return [];
  const left = split(leaves.length);
  return index < left
    ? [...pathOf(index, leaves.slice(0, left)), rootOf(leaves.slice(left))]
    : [...pathOf(index - left, leaves.slice(left)), rootOf(leaves.slice(0, left))];
}

/** The tiles of the tree, by their paths. */
export function tilesOf(leaves: readonly Uint8Array[]): Map<string, Uint8Array> {
  const tiles = new Map<string, Uint8Array>();
  let row = leaves;
  for (let level = 0; row.length > 0; level += 1) {
    for (let at = 0; at < row.length; at += 256) {
      const hashes256 = row.slice(at, at + 256);
      const name = `tile/${level}/${String(at / 256).padStart(3, '0')}`;
      tiles.set(
        hashes256.length === 256 ? name : `${name}.p/${hashes256.length}`,
        concat(...hashes256),
      );
    }
    const whole = Array.from({ length: Math.floor(row.length / 256) }, (_, at) => at * 256);
    const below = row;
    row = whole.map((at) => rootOf(below.slice(at, at + 256)));
  }
  return tiles;
}

type Kind = 1 | 4;

/** Who signs: a log, or a witness. */
export function signer(name: string, seed: number, kind: Kind = 1) {
  const secret = new Uint8Array(32).fill(seed);
  const bytes = concat(Uint8Array.of(kind), getPublicKey(secret));
  const id = sha256(concat(utf8(`${name}\n`), bytes)).subarray(0, 4);
  const line = (signature: Uint8Array) => `— ${name} ${toBase64(concat(id, signature))}\n`;
  return {
    key: `${name}+${toHex(id)}+${toBase64(bytes)}`,
    sign: (text: string) => line(sign(utf8(text), secret)),
    cosign: (text: string, at: number) => {
      const signature = sign(utf8(`cosignature/v1\ntime ${at}\n${text}`), secret);
      return line(concat(bigEndian(BigInt(at)), signature));
    },
  };
}

export const log = signer(origin, 7);
export const witness = signer('witness.example/w1', 8, 4);

export function checkpointText(
  leaves: readonly Uint8Array[],
  { name = origin, extensions = [] }: { name?: string; extensions?: readonly string[] } = {},
): string {
  return [name, leaves.length, toBase64(rootOf(leaves)), ...extensions].join('\n').concat('\n');
}
