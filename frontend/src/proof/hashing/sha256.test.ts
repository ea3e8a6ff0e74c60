import { sha256 } from '@noble/hashes/sha2.js';
import { describe, expect, it } from 'vitest';
import { toHex, utf8 } from '../bytes';
import { hashInPlace, padded } from './sha256';

function hashed(message: Uint8Array, before = 0): string {
  // What stood in the buffer before does not count.
  const buffer = new Uint8Array(padded(message.length)).fill(before);
  buffer.set(message);
  const hash = new Uint8Array(32);
  hashInPlace(buffer, message.length, hash);
  return toHex(hash);
}

describe('the hash of a transaction', () => {
  it.each([
    ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
    [
      'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq',
      '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
    ],
  ])('is that of FIPS 180-4: %s', (message, hash) => {
    expect(hashed(utf8(message))).toBe(hash);
  });

  it("is the library's, for any length and any bytes", () => {
    let state = 1;
    for (let length = 0; length < 1000; length += length < 300 ? 1 : 61) {
      const message = Uint8Array.from({ length }, () => {
        state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
        return state >>> 24;
      });
      expect([length, hashed(message, state)]).toEqual([length, toHex(sha256(message))]);
    }
    const large = new Uint8Array(300_000).fill(0xa5);
    expect(hashed(large)).toBe(toHex(sha256(large)));
  });
});
