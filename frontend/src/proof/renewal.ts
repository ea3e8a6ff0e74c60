/** A log that follows another one, which has ended: docs/PROOF.md, "A log that begins anew". */
import { hashFromBase64, same } from './bytes';
import { type Checkpoint, parseCheckpoint, readNumber } from './checkpoint';
import { isSigned, type NoteKey, parseNote, renamed } from './note';
import { onlyGrew, type TileReader, tileFolder } from './tiles';
import type { TreeHead } from './tree';

/** How the end of the old log, as the new one names it, fits what this device saw of the old one. */
export type Renewal = {
  /** The operator's reason: `lost`, `forked` or `changed`. */
  why: string;
  /** Entries in the old log, at its end and when this device saw it. */
  ended: string;
  saw: string;
  seen:
    | 'same'
    /** The old log grew after this device saw it, and nothing before was changed. */
    | 'grew'
    /** The old log ends before what this device saw. */
    | 'shorter'
    /** Parts of the old log that would prove it are not there. */
    | 'unproved';
};

type Previous = TreeHead & { origin: string; why: string };

/** The most logs that one device may have missed. */
const most = 16;

/** `other` if the old log is not the one that this device saw; null if the new one does not say that it follows it. */
export async function renewalOf(
  before: Checkpoint,
  now: Checkpoint,
  keys: readonly NoteKey[],
  read: TileReader,
): Promise<Renewal | 'other' | null> {
  const end = await endOf(before.origin, now, keys, read);
  if (!end) return null;
  const seen = await compare(before, end, (path) => read(tileFolder(before.origin) + path));
  if (seen === 'other') return seen;
  return { why: end.why, ended: String(end.size), saw: String(before.size), seen };
}

async function compare(
  before: TreeHead,
  end: TreeHead,
  read: TileReader,
): Promise<Renewal['seen'] | 'other'> {
  if (end.size === before.size) return same(end.root, before.root) ? 'same' : 'other';
  const isShorter = end.size < before.size;
  const grew = await (isShorter ? onlyGrew(end, before, read) : onlyGrew(before, end, read));
  if (grew === false) return 'other';
  // A part that this device saw is missing in any case, whether or not the rest can be proved
  // unchanged.
  if (isShorter) return 'shorter';
  return grew ? 'grew' : 'unproved';
}

/** The end of the log of this name, found through all logs that followed it. */
async function endOf(
  origin: string,
  now: Checkpoint,
  keys: readonly NoteKey[],
  read: TileReader,
): Promise<Previous | null> {
  let log: Checkpoint | null = now;
  for (let back = 0; log && back < most; back += 1) {
    const previous = previousIn(log);
    if (!previous || previous.origin === origin) return previous;
    log = await lastOf(previous, keys, read);
  }
  return null;
}

function previousIn({ extensions }: Checkpoint): Previous | null {
  return extensions.map(parsePrevious).find((previous) => previous !== null) ?? null;
}

function parsePrevious(line: string): Previous | null {
  const [word, origin = '', count = '', encoded = '', why = '', more] = line.split(' ');
  const size = readNumber(count);
  const root = hashFromBase64(encoded);
  const filled = word === 'previous' && origin !== '' && why !== '' && more === undefined;
  return filled && size !== null && root ? { origin, size, root, why } : null;
}

/**
 * The last checkpoint of a log between the two. A known key must have signed it, because its root does not cover what
 * it says of the log before.
 */
async function lastOf(
  { origin, size, root }: Previous,
  keys: readonly NoteKey[],
  read: TileReader,
): Promise<Checkpoint | null> {
  const bytes = await read(`${tileFolder(origin) || '1/'}checkpoint`);
  const note = bytes && parseNote(bytes);
  const last = note && parseCheckpoint(note.text);
  if (!last || last.origin !== origin || last.size !== size || !same(last.root, root)) return null;
  return keys.some((key) => isSigned(note, renamed(key, origin))) ? last : null;
}
