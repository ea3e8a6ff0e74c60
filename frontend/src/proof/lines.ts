import { fromUtf8 } from './bytes';
import { type Fault, ProofFailure } from './failure';

const longest = { line: 64 * 1024, file: 256 * 1024 * 1024 };

/** A line without its line feed. It is true only until the next one is asked for. */
export class Line {
  bytes = new Uint8Array();
  from = 0;
  to = 0;
  number = 0;

  fail(fault: Fault, message: string): never {
    throw new ProofFailure(fault, message, this.number);
  }

  text(): string {
    const text = fromUtf8(this.bytes.subarray(this.from, this.to));
    // A line feed alone ends a line, and is the only control character.
    const odd = Array.from(text ?? '\0').some((char) => char < ' ');
    return text === null || odd ? this.fail('form', 'not a line of text') : text;
  }

  /** The text after the name of a field. */
  field(name: string): string {
    const text = this.text();
    if (!text.startsWith(`${name}: `)) this.fail('form', `expected ${name}`);
    return text.slice(name.length + 2);
  }

  expect(text: string) {
    if (this.text() !== text) this.fail('form', `expected ${text}`);
  }
}

/** Takes a line each time, and null at the end. */
export type LineReader<T> = Generator<void, T, Line | null>;

/** A reader that must be given a line, not the end. */
export function* nextLine(): Generator<void, Line, Line | null> {
  const line = yield;
  if (!line) throw new ProofFailure('form', 'the file ends too early');
  return line;
}

/** Cuts a file, as its parts arrive, into lines for a reader. */
export class LineCutter<T> {
  private readonly line = new Line();
  private rest = new Uint8Array();
  private length = 0;

  constructor(private readonly reader: LineReader<T>) {
    this.reader.next();
  }

  push(part: Uint8Array<ArrayBuffer>) {
    this.length += part.length;
    if (this.length > longest.file) throw new ProofFailure('form', 'the file is too large');
    let bytes = part;
    if (this.rest.length > 0) {
      bytes = new Uint8Array(this.rest.length + part.length);
      bytes.set(this.rest);
      bytes.set(part, this.rest.length);
    }
    let from = 0;
    for (let to = bytes.indexOf(10); to >= 0; to = bytes.indexOf(10, from)) {
      this.give(bytes, from, to);
      from = to + 1;
    }
    this.rest = bytes.slice(from);
    if (this.rest.length > longest.line) throw new ProofFailure('form', 'a line is too long');
  }

  finish(): T {
    if (this.rest.length > 0) throw new ProofFailure('form', 'the last line does not end');
    const { done, value } = this.reader.next(null);
    if (!done) throw new ProofFailure('form', 'the file ends too early');
    return value;
  }

  private give(bytes: Uint8Array<ArrayBuffer>, from: number, to: number) {
    const { line } = this;
    line.bytes = bytes;
    line.from = from;
    line.to = to;
    line.number += 1;
    if (to - from > longest.line) line.fail('form', 'the line is too long');
    if (this.reader.next(line).done) line.fail('form', 'more than a proof');
  }
}
