import { fromUtf8 } from './bytes';
import type { Encoder } from './encoder';

const [quote, backslash, minus, zero, nine] = [0x22, 0x5c, 0x2d, 0x30, 0x39];
const largest = 2 ** 53 - 1;
/** The characters after a backslash, and the bytes that they stand for. */
const escapes = new Map(Object.entries({ '"': 34, '\\': 92, b: 8, f: 12, n: 10, r: 13, t: 9 }));
const escaped = new Set(escapes.values());

/** A line that is not written as JSON writes it. */
export class BadLine extends Error {}

/**
 * Reads compact JSON in the only form in which it is written, straight from the bytes: no objects are made, and no
 * number goes through one that would round it.
 */
export class Scanner {
  bytes = new Uint8Array();
  at = 0;
  to = 0;
  /** The two halves of the amount that was read last. */
  high = 0;
  low = 0;
  /** The same amount; null if a number cannot hold it exactly. */
  value: number | null = 0;

  open(bytes: Uint8Array<ArrayBuffer>, from: number, to: number) {
    this.bytes = bytes;
    this.at = from;
    this.to = to;
  }

  fail(what: string): never {
    throw new BadLine(what);
  }

  /** The next byte, without taking it; 0 at the end. */
  next(): number {
    return this.at < this.to ? (this.bytes[this.at] ?? 0) : 0;
  }

  is(char: number): boolean {
    if (this.next() !== char) return false;
    this.at += 1;
    return true;
  }

  take(char: number) {
    if (!this.is(char)) this.fail(`expected ${String.fromCharCode(char)}`);
  }

  /** Whether `null` stands here, which it takes. */
  isNull(): boolean {
    if (this.next() !== 0x6e) return false;
    for (const char of [0x6e, 0x75, 0x6c, 0x6c]) this.take(char);
    return true;
  }

  end() {
    if (this.at !== this.to) this.fail('more than a transaction');
  }

  integer(): number {
    const negative = this.is(minus);
    const value = this.digits(negative, 16);
    if (value > largest) this.fail('a number is too large');
    return negative ? -value : value;
  }

  private digits(negative: boolean, most: number): number {
    const from = this.at;
    let value = 0;
    for (let char = this.next(); char >= zero && char <= nine; char = this.next()) {
      value = value * 10 + (char - zero);
      this.at += 1;
    }
    const count = this.at - from;
    if (count === 0 || count > most) this.fail('expected a number');
    if (this.bytes[from] === zero && (count > 1 || negative))
      this.fail('a number is written otherwise');
    return value;
  }

  /** A decimal in quotes: to `high` and `low`. */
  amount() {
    this.take(quote);
    const start = this.at;
    const negative = this.is(minus);
    const value = this.digits(negative, 19);
    if (value <= largest) {
      const signed = negative ? -value : value;
      this.high = Math.floor(signed / 2 ** 32);
      this.low = signed - this.high * 2 ** 32;
      this.value = signed;
    } else {
      this.large(start);
    }
    this.take(quote);
  }

  private large(from: number) {
    const value = BigInt(this.slice(from, this.at));
    this.value = null;
    if (BigInt.asIntN(64, value) !== value) this.fail('an amount is too large');
    this.high = Number(value >> 32n);
    this.low = Number(value & 0xffffffffn);
  }

  slice(from: number, to: number): string {
    let text = '';
    for (let at = from; at < to; at += 1) text += String.fromCharCode(this.bytes[at] ?? 0);
    return text;
  }

  /** A text: its length and its bytes, to the encoder. */
  text(encoder: Encoder) {
    const length = encoder.gap();
    this.take(quote);
    const from = encoder.at;
    let ascii = true;
    for (let char = this.next(); char !== quote; char = this.next()) {
      if (char < 0x20) this.fail('a text does not end, or has a control character');
      this.at += 1;
      if (char > 0x7f) ascii = false;
      encoder.byte(char === backslash ? this.escape() : char);
    }
    this.at += 1;
    if (!ascii && fromUtf8(encoder.bytes.subarray(from, encoder.at)) === null) {
      this.fail('a text is no UTF-8');
    }
    encoder.fill(length, encoder.at - from);
  }

  private escape(): number {
    const char = String.fromCharCode(this.next());
    this.at += 1;
    const short = escapes.get(char);
    if (short !== undefined) return short;
    const code = this.slice(this.at, this.at + 4);
    const byte = Number.parseInt(code, 16);
    if (char !== 'u' || !/^00[01][0-9a-f]$/.test(code) || escaped.has(byte)) {
      this.fail('a text is written otherwise');
    }
    this.at += 4;
    return byte;
  }

  /** 32 bytes in lower-case hex and quotes, to the encoder. */
  hash(encoder: Encoder) {
    this.take(quote);
    for (let count = 0; count < 32; count += 1)
      encoder.byte(16 * this.hexDigit() + this.hexDigit());
    this.take(quote);
  }

  private hexDigit(): number {
    const char = this.next();
    this.at += 1;
    if (char >= zero && char <= nine) return char - zero;
    if (char >= 0x61 && char <= 0x66) return char - 0x57;
    return this.fail('expected hexadecimal digits');
  }
}
