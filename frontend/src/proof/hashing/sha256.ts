/**
 * SHA-256 (FIPS 180-4) in place, for one buffer that is hashed hundreds of thousands of times. The library that hashes
 * everything else takes half as long again, mostly for the objects that it makes for each hash.
 */

/** The first bits of the cube roots of the first 64 primes. */
// biome-ignore format: a table
const constants = Int32Array.of(
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
);

/** The first bits of the square roots of the first eight. */
// biome-ignore format: a table
const start = Int32Array.of(
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
);

const block = 64;
const words = new Int32Array(64);
const state = new Int32Array(8);

/** How long a buffer has to be for so many bytes and the padding behind them. */
export const padded = (length: number) => Math.ceil((length + 9) / block) * block;

/** Hashes the first bytes of a buffer, whose rest is room for the padding. */
export function hashInPlace(bytes: Uint8Array, length: number, hash: Uint8Array) {
  const end = padded(length);
  bytes.fill(0, length, end);
  bytes[length] = 0x80;
  putWord(bytes, end - 8, Math.floor(length / 2 ** 29));
  putWord(bytes, end - 4, length << 3);
  state.set(start);
  for (let at = 0; at < end; at += block) compress(bytes, at);
  for (let at = 0; at < state.length; at += 1) putWord(hash, 4 * at, state[at] ?? 0);
}

function putWord(bytes: Uint8Array, at: number, word: number) {
  bytes[at] = word >>> 24;
  bytes[at + 1] = word >>> 16;
  bytes[at + 2] = word >>> 8;
  bytes[at + 3] = word;
}

const word = (row: Int32Array, at: number) => row[at] as number;
const byte = (row: Uint8Array, at: number) => row[at] as number;
const turned = (value: number, by: number) => (value >>> by) | (value << (32 - by));

function compress(bytes: Uint8Array, from: number) {
  schedule(bytes, from);
  let a = word(state, 0);
  let b = word(state, 1);
  let c = word(state, 2);
  let d = word(state, 3);
  let e = word(state, 4);
  let f = word(state, 5);
  let g = word(state, 6);
  let h = word(state, 7);
  for (let at = 0; at < 64; at += 1) {
    const e1 = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const one = (h + e1 + (g ^ (e & (f ^ g))) + word(constants, at) + word(words, at)) | 0;
    const a0 = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
    const two = (a0 + ((a & b) ^ (c & (a ^ b)))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + one) | 0;
    d = c;
    c = b;
    b = a;
    a = (one + two) | 0;
  }
  add(0, a);
  add(1, b);
  add(2, c);
  add(3, d);
  add(4, e);
  add(5, f);
  add(6, g);
  add(7, h);
}

function add(at: number, value: number) {
  state[at] = word(state, at) + value;
}

function schedule(bytes: Uint8Array, from: number) {
  for (let at = 0; at < 16; at += 1) {
    const place = from + 4 * at;
    words[at] =
      (byte(bytes, place) << 24) |
      (byte(bytes, place + 1) << 16) |
      (byte(bytes, place + 2) << 8) |
      byte(bytes, place + 3);
  }
  for (let at = 16; at < 64; at += 1) {
    const x = word(words, at - 15);
    const y = word(words, at - 2);
    const s0 = turned(x, 7) ^ turned(x, 18) ^ (x >>> 3);
    const s1 = turned(y, 17) ^ turned(y, 19) ^ (y >>> 10);
    words[at] = s0 + word(words, at - 16) + s1 + word(words, at - 7);
  }
}
