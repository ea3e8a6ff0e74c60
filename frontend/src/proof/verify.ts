/** A proof file, from its first line to its last: docs/PROOF.md. */
import { type Balances, isInLog, readBalances } from './balances';
import { type Book, type OnTransaction, readBook } from './book';
import { concat, hashFromBase64 } from './bytes';
import { type Checkpoint, parseCheckpoint, readNumber } from './checkpoint';
import { ProofFailure } from './failure';
import { LineCutter, type LineReader, nextLine } from './lines';
import { type Cosignature, cosigned, isSigned, type Note, type NoteKey, parseNote } from './note';
import { type Hash, includes, leafHash, longestPath } from './tree';

/**
 * A file whose book and balances were computed. They are proved only once the log includes them.
 */
export type ProofFile = {
  book: Omit<Book, 'history'>;
  balances: Balances | null;
  /** The position of the book's last transaction in the log. */
  index: bigint;
  proof: readonly Hash[];
  /** The signed note as it stands in the file. */
  note: Uint8Array;
};

export type Verified = ProofFile['book'] & {
  index: bigint;
  checkpoint: Checkpoint;
  /** The signed note as it stands in the file. */
  note: string;
  cosignatures: readonly Cosignature[];
  balances: Omit<Balances, 'entry'> | null;
};

/** A reader of a proof file, to be given its parts as they arrive. */
export function proofReader(onTransaction: OnTransaction = () => {}) {
  return new LineCutter(readProofFile(onTransaction));
}

function* readProofFile(onTransaction: OnTransaction): LineReader<ProofFile> {
  const { history, ...book } = yield* readBook(onTransaction);
  const heading = yield* nextLine();
  let balances: Balances | null = null;
  if (heading.text() === '== balances') balances = yield* readBalances({ history, ...book });
  else heading.expect('== inclusion');
  (yield* nextLine()).expect('c2sp.org/tlog-proof@v1');
  const { index, proof } = yield* readInclusion();
  const note = yield* readRest();
  openNote(note);
  return { book, balances, index, proof, note };
}

/** Whether the log of one of the keys has what the file says. */
export function verifyFile(file: ProofFile, keys: readonly NoteKey[]): Verified {
  const { book, balances, index, proof } = file;
  const note = openNote(file.note);
  const checkpoint = openCheckpoint(note, book.origin, keys);
  const cosignatures = cosignaturesOf(note, keys);
  if (!includes(leafHash(book.hash), index, checkpoint, proof)) {
    fail('inclusion', 'the last transaction is not in the log');
  }
  if (balances && !isInLog(balances, checkpoint)) {
    throw new ProofFailure('balances', 'the record is not in the log', balances.entry.line);
  }
  const text = new TextDecoder().decode(file.note);
  return { ...book, index, checkpoint, note: text, cosignatures, balances };
}

const openNote = (bytes: Uint8Array): Note =>
  parseNote(bytes) ?? fail('form', 'the checkpoint is no signed note');

function fail(...[fault, message]: ConstructorParameters<typeof ProofFailure>): never {
  throw new ProofFailure(fault, message);
}

function* readInclusion(): LineReader<{ index: bigint; proof: Hash[] }> {
  const first = yield* nextLine();
  const [word, number = '', more] = first.text().split(' ');
  const index = readNumber(number);
  if (word !== 'index' || more !== undefined || index === null) {
    return first.fail('form', 'expected index');
  }
  const proof: Hash[] = [];
  for (;;) {
    const line = yield* nextLine();
    if (line.from === line.to) return { index, proof };
    proof.push(hashFromBase64(line.text()) ?? line.fail('form', 'a hash is none'));
    if (proof.length > longestPath) line.fail('form', 'the proof is too long');
  }
}

/** Reads everything up to the end. */
function* readRest(): LineReader<Uint8Array> {
  const lines: Uint8Array[] = [];
  for (;;) {
    const line = yield;
    if (!line) return concat(...lines);
    lines.push(line.bytes.slice(line.from, line.to + 1));
  }
}

function openCheckpoint(note: Note, origin: string, keys: readonly NoteKey[]): Checkpoint {
  const checkpoint = parseCheckpoint(note.text) ?? fail('form', 'it is no checkpoint');
  if (checkpoint.size === 0n) fail('form', 'the log is empty');
  const logs = keys.filter(({ kind }) => kind === 'log');
  const own = logs.filter(({ name }) => name === origin);
  if (checkpoint.origin !== origin || own.length === 0) {
    fail('origin', 'the checkpoint is of another log');
  }
  const signedBy = (key: NoteKey) => isSigned(note, key);
  if (!own.some(signedBy) || logs.map(signedBy).includes(false)) {
    fail('signature', 'the log did not sign the checkpoint');
  }
  return checkpoint;
}

function cosignaturesOf(note: Note, keys: readonly NoteKey[]): Cosignature[] {
  const witnesses = keys.filter(({ kind }) => kind === 'witness');
  const found = witnesses.map((key) => cosigned(note, key));
  return found
    .map((one) => (one === false ? fail('cosignature', 'a witness did not sign it') : one))
    .filter((one) => one !== null);
}
