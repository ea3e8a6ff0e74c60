import { utf8 } from './bytes';
import { Encoder } from './encoder';
import { Scanner } from './scanner';

const [comma, open, close] = [0x2c, 0x5b, 0x5d];
/** A transaction with a document's digest has another version of the encoding. */
const versions = ['placard ledger 1', 'placard ledger 2'].map(utf8);
const [plain = new Uint8Array(), withDocument = new Uint8Array()] = versions;
const latest = 253_402_300_799_999;

/** An entry as it stands in the file; what it moved and left is read on demand. */
export type Entry = {
  account: number;
  owner: number;
  plan: number;
  flow: number | null;
  /** Minor units. */
  amount(): string;
  balance(): string | null;
};

/** An amount as it was read: a number, or where its digits stand if that would round it. */
class Amount {
  high = 0;
  low = 0;
  private value: number | null = 0;
  private from = 0;
  private to = 0;

  constructor(private readonly scanner: Scanner) {}

  read() {
    const { scanner } = this;
    this.from = scanner.at + 1;
    scanner.amount();
    this.to = scanner.at - 1;
    this.high = scanner.high;
    this.low = scanner.low;
    this.value = scanner.value;
  }

  text(): string {
    return this.value === null ? this.scanner.slice(this.from, this.to) : String(this.value);
  }
}

class ReadEntry implements Entry {
  account = 0;
  owner = 0;
  plan = 0;
  flow: number | null = null;
  private hasBalance = false;
  private readonly moved: Amount;
  private readonly left: Amount;

  constructor(private readonly scanner: Scanner) {
    this.moved = new Amount(scanner);
    this.left = new Amount(scanner);
  }

  amount() {
    return this.moved.text();
  }

  balance() {
    return this.hasBalance ? this.left.text() : null;
  }

  read(encoder: Encoder) {
    const { scanner, moved, left } = this;
    scanner.take(open);
    this.account = positive(scanner);
    encoder.number(this.account);
    scanner.take(comma);
    this.owner = scanner.integer();
    encoder.number(this.owner);
    scanner.take(comma);
    this.plan = scanner.integer();
    encoder.number(this.plan);
    scanner.take(comma);
    moved.read();
    encoder.halves(moved.high, moved.low);
    scanner.take(comma);
    this.hasBalance = !scanner.isNull();
    if (this.hasBalance) left.read();
    scanner.take(comma);
    this.flow = scanner.isNull() ? null : positive(scanner);
    scanner.take(close);
    // The hash has them in the other order.
    encoder.byte(this.flow === null ? 0 : 1);
    if (this.flow !== null) encoder.number(this.flow);
    encoder.byte(this.hasBalance ? 1 : 0);
    if (this.hasBalance) encoder.halves(left.high, left.low);
  }
}

function positive(scanner: Scanner): number {
  const value = scanner.integer();
  return value >= 1 ? value : scanner.fail('a number is below 1');
}

/** A transaction as it stands in the file. It is read into again for each line. */
export class Transaction {
  sequence = 0;
  recordedAt = 0;
  refType = '';
  refId = 0;
  count = 0;
  private readonly scanner = new Scanner();
  private readonly encoder = new Encoder();
  private readonly entries: ReadEntry[] = [];

  /**
   * Access by index, because an iterator would create an object for each loop, a million in a year.
   */
  entry(at: number): Entry | undefined {
    return at < this.count ? this.entries[at] : undefined;
  }

  /** Reads a line; `hash` is the one of the transaction before, and becomes this one's. */
  read(book: number, hash: Uint8Array, bytes: Uint8Array<ArrayBuffer>, from: number, to: number) {
    const { scanner, encoder } = this;
    scanner.open(bytes, from, to);
    encoder.at = 0;
    encoder.number(plain.length);
    const version = encoder.at;
    encoder.raw(plain);
    encoder.raw(hash);
    encoder.number(book);
    scanner.take(open);
    this.head();
    if (this.hasDocument()) encoder.bytes.set(withDocument, version);
    scanner.take(comma);
    this.readEntries();
    scanner.take(close);
    scanner.end();
    encoder.hashInto(hash);
  }

  private head() {
    const { scanner, encoder } = this;
    this.sequence = positive(scanner);
    encoder.number(this.sequence);
    scanner.take(comma);
    encoder.number(positive(scanner));
    scanner.take(comma);
    this.refType = this.shortText();
    scanner.take(comma);
    this.refId = scanner.integer();
    encoder.number(this.refId);
    scanner.take(comma);
    encoder.number(scanner.integer());
    scanner.take(comma);
    this.recordedAt = this.time();
    encoder.number(this.recordedAt);
    scanner.take(comma);
    const key = !scanner.isNull();
    encoder.byte(key ? 1 : 0);
    if (key) scanner.text(encoder);
    scanner.take(comma);
    scanner.text(encoder);
    scanner.take(comma);
    scanner.text(encoder);
    scanner.take(comma);
  }

  private time(): number {
    const time = this.scanner.integer();
    return time >= 0 && time <= latest ? time : this.scanner.fail('a time is out of range');
  }

  /**
   * Returns a text as it was written: the kind of a document has nothing to escape. Most lines have
   * the same kind as the previous one.
   */
  private shortText(): string {
    const { scanner, encoder, refType } = this;
    const from = scanner.at + 1;
    scanner.text(encoder);
    const to = scanner.at - 1;
    let same = to - from === refType.length;
    for (let at = from; same && at < to; at += 1) {
      same = scanner.bytes[at] === refType.charCodeAt(at - from);
    }
    return same ? refType : scanner.slice(from, to);
  }

  private hasDocument(): boolean {
    if (this.scanner.isNull()) return false;
    this.scanner.hash(this.encoder);
    return true;
  }

  private readEntries() {
    const { scanner, encoder, entries } = this;
    const count = encoder.gap();
    scanner.take(open);
    this.count = 0;
    if (!scanner.is(close)) {
      do {
        const entry = entries[this.count] ?? new ReadEntry(scanner);
        entries[this.count] = entry;
        entry.read(encoder);
        this.count += 1;
      } while (scanner.is(comma));
      scanner.take(close);
    }
    encoder.fill(count, this.count);
  }
}
