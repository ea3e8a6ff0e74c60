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

class ReadEntry implements Entry {
  account = 0;
  owner = 0;
  plan = 0;
  flow: number | null = null;
  /** The balance's halves. */
  high = 0;
  low = 0;
  hasBalance = false;
  private readonly scanner: Scanner;
  private places = [0, 0, 0, 0] as [number, number, number, number];

  constructor(scanner: Scanner) {
    this.scanner = scanner;
  }

  amount() {
    return this.scanner.slice(this.places[0], this.places[1]);
  }

  balance() {
    return this.hasBalance ? this.scanner.slice(this.places[2], this.places[3]) : null;
  }

  read(encoder: Encoder) {
    const { scanner, places } = this;
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
    places[0] = scanner.at + 1;
    scanner.amount();
    places[1] = scanner.at - 1;
    encoder.halves(scanner.high, scanner.low);
    scanner.take(comma);
    this.readBalance();
    scanner.take(comma);
    this.flow = scanner.isNull() ? null : positive(scanner);
    scanner.take(close);
    // The hash has them in the other order.
    encoder.byte(this.flow === null ? 0 : 1);
    if (this.flow !== null) encoder.number(this.flow);
    encoder.byte(this.hasBalance ? 1 : 0);
    if (this.hasBalance) encoder.halves(this.high, this.low);
  }

  private readBalance() {
    const { scanner, places } = this;
    this.hasBalance = !scanner.isNull();
    if (!this.hasBalance) return;
    places[2] = scanner.at + 1;
    scanner.amount();
    places[3] = scanner.at - 1;
    this.high = scanner.high;
    this.low = scanner.low;
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

  *[Symbol.iterator]() {
    for (let at = 0; at < this.count; at += 1) {
      const entry = this.entries[at];
      if (entry) yield entry;
    }
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
    encoder.number(this.time());
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

  /** As it stands there: a document's kind has nothing to escape. */
  private shortText(): string {
    const from = this.scanner.at + 1;
    this.scanner.text(this.encoder);
    return this.scanner.slice(from, this.scanner.at - 1);
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
