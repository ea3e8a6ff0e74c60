import { sha256 } from '@noble/hashes/sha2.js';

const largestLine = 64 * 1024;

/**
 * The encoding of a transaction from which its hash is computed. One buffer serves all
 * transactions, because a year has hundreds of thousands. Numbers have eight bytes, the most
 * significant first, and are given in two halves, because JavaScript's numbers are exact only up to
 * 2⁵³.
 */
export class Encoder {
  /** The shortest entry of a line becomes less than three times as long. */
  readonly bytes = new Uint8Array(4 * largestLine);
  at = 0;

  number(value: number) {
    const high = Math.floor(value / 2 ** 32);
    this.halves(high, value - high * 2 ** 32);
  }

  halves(high: number, low: number) {
    this.putHalf(high);
    this.putHalf(low);
  }

  byte(value: number) {
    this.bytes[this.at] = value;
    this.at += 1;
  }

  /** Leaves room for a number that is known only later. */
  gap(): number {
    this.at += 8;
    return this.at - 8;
  }

  fill(gap: number, value: number) {
    const end = this.at;
    this.at = gap;
    this.number(value);
    this.at = end;
  }

  raw(bytes: Uint8Array) {
    this.bytes.set(bytes, this.at);
    this.at += bytes.length;
  }

  hashInto(hash: Uint8Array) {
    hash.set(sha256(this.bytes.subarray(0, this.at)));
  }

  private putHalf(half: number) {
    const { bytes, at } = this;
    bytes[at] = half >>> 24;
    bytes[at + 1] = half >>> 16;
    bytes[at + 2] = half >>> 8;
    bytes[at + 3] = half;
    this.at = at + 4;
  }
}
