/** Judging a month that was read: by the log, by what this device has kept, and by the month before. */
import { same, utf8 } from './bytes';
import { type Checkpoint, parseCheckpoint } from './checkpoint';
import { type Fault, ProofFailure } from './failure';
import type { MonthRead } from './month';
import { isSigned, type NoteKey, parseKey, parseKeys, parseNote, renamed, writeKey } from './note';
import { type Renewal, renewalOf } from './renewal';
import type { Comparison } from './screen';
import { onlyGrew, type TileReader, tileFolder } from './tiles';
import { type ProofFile, type Verified, verifyFile } from './verify';

/**
 * The data that the device keeps: the keys, one per line, and the last checkpoint as it was signed.
 */
export type Kept = { keys: string; checkpoint: string };

/** A book's last transaction in a month. Until it is `settled`, the month may get more. */
export type End = { sequence: number; hash: Uint8Array; settled: boolean };

export const beginning: End = { sequence: 0, hash: new Uint8Array(32), settled: true };

export type Case = {
  read: MonthRead;
  /** The user's book. */
  book: number;
  month: string;
  /** The keys that the log shows now, and those of witnesses. */
  keys: string;
  witnesses: readonly string[];
  kept: Kept | null;
  /** The end of the book before this month; null where nobody looked. */
  before: End | null;
};

export type Passed = {
  outcome: 'passed';
  transactions: number;
  /** Entries in the log. */
  size: string;
  /** The root, in base64. */
  root: string;
  cosignatures: readonly { name: string; at: number }[];
  /** How the log follows the one that the device had kept, if it is another. */
  renewal: Renewal | null;
  comparison: Comparison;
  end: End;
  keep: Kept;
};

export type Failed =
  | {
      outcome: 'failed';
      fault: Fault | 'month' | 'cutBack' | 'forked' | 'renewal' | 'gap';
      detail: string;
    }
  | { outcome: 'failed'; fault: 'screen'; comparison: Comparison }
  /** The log has another name or key, so nothing is proved. The checkpoint is the file's. */
  | { outcome: 'changed'; keep: Kept; renewal: Renewal | null; isKeyKnown: boolean };

export type Outcome = Passed | Failed;

/** The log has a transaction ten seconds after it at the latest; clocks may differ. */
const settling = 60_000;

export async function judge(one: Case, tiles: TileReader): Promise<Outcome> {
  try {
    return await judgeAll(one, tiles);
  } catch (error) {
    if (!(error instanceof ProofFailure)) throw error;
    return failed(error.fault, error.message);
  }
}

type PlainFault = Exclude<Extract<Failed, { outcome: 'failed' }>['fault'], 'screen'>;
const failed = (fault: PlainFault, detail = ''): Failed => ({ outcome: 'failed', fault, detail });

async function judgeAll(one: Case, tiles: TileReader): Promise<Outcome> {
  const { read, kept } = one;
  const known = parseKeys(kept?.keys ?? one.keys);
  if (!known) throw new ProofFailure('signature', 'the log shows no key');
  if ('fault' in read) return failed(read.fault, read.message);
  const found = await findLog(one, known, read.file, tiles);
  if ('outcome' in found) return found;
  const { verified, renewal } = found;
  if (verified.book !== one.book || verified.month !== one.month) {
    return failed('month', `${verified.book} ${verified.month}`);
  }
  const broken = renewal ? null : await growth(kept, verified.checkpoint, tiles);
  if (broken) return failed(broken);
  if (!isJoined(one.before, verified)) return failed('gap', String(verified.previous));
  const { comparison } = read;
  if (differs(comparison)) return { outcome: 'failed', fault: 'screen', comparison };
  return {
    outcome: 'passed',
    transactions: verified.transactions,
    size: String(verified.checkpoint.size),
    root: verified.note.split('\n')[2] ?? '',
    cosignatures: verified.cosignatures.map(({ name, at }) => ({ name, at: Number(at) * 1000 })),
    renewal,
    comparison,
    end: endOf(verified),
    keep: { keys: keysAfter(one, found.known, verified.note), checkpoint: verified.note },
  };
}

type Found = { verified: Verified; known: readonly NoteKey[]; renewal: Renewal | null };

/** The file in the log that this device knows, or in one that follows it; or why it is in neither. */
async function findLog(
  one: Case,
  known: readonly NoteKey[],
  file: ProofFile,
  tiles: TileReader,
): Promise<Found | Failed> {
  const witnesses = one.witnesses.map(parseKey).filter((key) => key?.kind === 'witness');
  const verify = (keys: readonly NoteKey[]) =>
    verifyFile(file, [...keys, ...witnesses.filter((key) => key !== null)]);
  if (!one.kept) return { verified: verify(known), known, renewal: null };
  const own = unlessOther(() => verify(known));
  if (own) return { verified: own, known, renewal: null };
  // A log that began anew has another name; its key may be the known one.
  const logs = known.filter(({ kind }) => kind === 'log');
  const again = [...known, ...logs.map((key) => renamed(key, file.book.origin))];
  const signed = unlessOther(() => verify(again));
  const verified = signed ?? verifyFile(file, keysNow(one));
  const before = keptCheckpoint(one.kept);
  const renewal = before && (await renewalOf(before, verified.checkpoint, known, tiles));
  if (renewal === 'other') return failed('renewal');
  const goesOn = renewal?.seen === 'same' || renewal?.seen === 'grew';
  if (signed && goesOn) return { verified, known: again, renewal };
  const keep = { keys: one.keys, checkpoint: verified.note };
  return { outcome: 'changed', keep, renewal, isKeyKnown: signed !== null };
}

/** Null if the file is of another log than the keys. */
function unlessOther(verify: () => Verified): Verified | null {
  try {
    return verify();
  } catch (error) {
    const fault = error instanceof ProofFailure ? error.fault : null;
    if (fault === 'origin' || fault === 'signature') return null;
    throw error;
  }
}

/** The current keys of the log, if they are not those that the device has kept. */
function keysNow({ keys, kept }: Case): NoteKey[] {
  const now = parseKeys(keys);
  if (now && keys !== kept?.keys) return now;
  throw new ProofFailure('signature', 'the log did not sign the checkpoint');
}

function keptCheckpoint(kept: Kept | null): Checkpoint | null {
  const note = kept && parseNote(utf8(kept.checkpoint));
  return note && parseCheckpoint(note.text);
}

async function growth(
  kept: Kept | null,
  now: Checkpoint,
  tiles: TileReader,
): Promise<'cutBack' | 'forked' | null> {
  const before = keptCheckpoint(kept);
  if (!before) return null;
  if (now.size < before.size) return 'cutBack';
  const own: TileReader = (path) => tiles(tileFolder(now.origin) + path);
  const grew = await onlyGrew(before, now, own);
  if (grew === null) throw new Error('a tile of the log is missing');
  return grew ? null : 'forked';
}

/** Whether the month begins where the one before it ended. */
function isJoined(before: End | null, { previous, previousHash }: Verified): boolean {
  if (!before) return true;
  if (before.sequence === previous && same(before.hash, previousHash)) return true;
  // More transactions may have followed in that month after its file was made.
  if (!before.settled) throw new Error('the month before has only just ended');
  return false;
}

function endOf({ last, hash, month, made }: Verified): End {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return { sequence: last, hash, settled: Date.parse(made) >= Date.UTC(year, number) + settling };
}

const differs = ({ onlyShown, onlyProved, balances }: Comparison) =>
  onlyShown.length + onlyProved.length + balances.length > 0;

/** The keys that were known, and those with which the log signs as well from now on. */
function keysAfter({ kept, keys }: Case, known: readonly NoteKey[], checkpoint: string): string {
  if (!kept) return keys;
  const note = parseNote(utf8(checkpoint));
  const lines = new Set([...linesOf(kept.keys), ...known.map(writeKey)]);
  for (const line of linesOf(keys)) {
    const key = parseKey(line);
    if (key && note && isSigned(note, key) === true) lines.add(line);
  }
  return [...lines].join('\n');
}

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
