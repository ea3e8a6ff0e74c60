import type { Entry } from './transaction';

const columns = 2;

/**
 * The balances of a book's accounts after each entry, and the hashes of its transactions, to be
 * looked up once the file names the transaction.
 */
export class History {
  private numbers = new Float64Array(1024 * columns);
  private balances = new BigInt64Array(1024);
  private count = 0;
  private hashes = new Uint8Array(1024 * 32);
  private readonly first: number;

  /** The transaction before the file's first, with its hash. */
  constructor(sequence: number, hash: Uint8Array) {
    this.first = sequence;
    this.hashes.set(hash);
  }

  addHash(sequence: number, hash: Uint8Array) {
    const at = (sequence - this.first) * 32;
    if (at + 32 > this.hashes.length) this.hashes = twice(this.hashes);
    this.hashes.set(hash, at);
  }

  addBalance(sequence: number, { account }: Entry, balance: bigint) {
    if (this.count === this.balances.length) {
      this.numbers = twice(this.numbers);
      this.balances = twice(this.balances);
    }
    this.numbers.set([sequence, account], this.count * columns);
    this.balances[this.count] = balance;
    this.count += 1;
  }

  /** The hash of a transaction of the file, or of the one before it. */
  hashOf(sequence: number): Uint8Array {
    const at = (sequence - this.first) * 32;
    return this.hashes.slice(at, at + 32);
  }

  /** The last balance of each account that the file shows up to a transaction. */
  balancesAt(sequence: number): Map<number, bigint> {
    const found = new Map<number, bigint>();
    for (let at = 0; at < this.count; at += 1) {
      const [number = 0, account = 0] = this.numbers.subarray(at * columns, (at + 1) * columns);
      if (number > sequence) break;
      found.set(account, this.balances[at] ?? 0n);
    }
    return found;
  }
}

type Row = Uint8Array<ArrayBuffer> | Float64Array<ArrayBuffer> | BigInt64Array<ArrayBuffer>;

function twice<T extends Row>(row: T): T {
  const bytes = new Uint8Array(2 * row.byteLength);
  bytes.set(new Uint8Array(row.buffer));
  return new (row.constructor as new (buffer: ArrayBuffer) => T)(bytes.buffer);
}
