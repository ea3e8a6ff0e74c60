import { hash, hashes, Point } from '@noble/ed25519';
import { sha512 } from '@noble/hashes/sha2.js';
import { concat, same } from './bytes';

hashes.sha512 = sha512;

const order = Point.CURVE().n;

function littleEndian(bytes: Uint8Array): bigint {
  return bytes.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
}

function point(bytes: Uint8Array): Point | null {
  try {
    const read = Point.fromBytes(bytes);
    return read.isSmallOrder() ? null : read;
  } catch {
    return null;
  }
}

/** Whether signatures can be checked by it at all: it is a point, and none of the eight that fit anything. */
export const isPublicKey = (key: Uint8Array) => key.length === 32 && point(key) !== null;

/**
 * The library's own check multiplies the equation by the cofactor, so that it takes a few made-up signatures which
 * the other verifiers refuse. Here R is computed and compared, as RFC 8032 allows and they do.
 */
export function signed(key: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  if (signature.length !== 64) return false;
  const r = signature.subarray(0, 32);
  const s = littleEndian(signature.subarray(32));
  const a = point(key);
  if (a === null || point(r) === null || s >= order) return false;
  const k = littleEndian(hash(concat(r, key, message))) % order;
  return same(Point.BASE.multiply(s, false).subtract(a.multiply(k, false)).toBytes(), r);
}
