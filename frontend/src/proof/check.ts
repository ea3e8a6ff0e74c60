/** A check of one month: the file, the log behind it, and what the app shows. */
import { utf8 } from './bytes';
import { type Checkpoint, parseCheckpoint } from './checkpoint';
import { type Fault, ProofFailure } from './failure';
import { isSigned, type NoteKey, parseKey, parseKeys, parseNote } from './note';
import { Comparer, type Comparison, type ScreenBalances, type ScreenLine } from './screen';
import { onlyGrew, type TileReader, tileFolder } from './tiles';
import { proofReader } from './verify';

/** What is kept on the device: keys, one a line, and the last checkpoint as it was signed. */
export type Kept = { keys: string; checkpoint: string };

export type Task = {
  file: Blob;
  /** The user's book. */
  book: number;
  month: string;
  /** The keys that the log shows now, and those of witnesses. */
  keys: string;
  witnesses: readonly string[];
  kept: Kept | null;
  lines: readonly ScreenLine[];
  balances: ScreenBalances | null;
};

export type Passed = {
  outcome: 'passed';
  transactions: number;
  /** Entries in the log. */
  size: string;
  /** The root, in base64. */
  root: string;
  cosignatures: readonly { name: string; at: number }[];
  grew: 'first' | 'same' | 'grew';
  comparison: Comparison;
  /** The day up to whose end the user's balances are part of the published totals. */
  balancesOf: string | null;
  keep: Kept;
};

export type Failed =
  | { outcome: 'failed'; fault: Fault | 'month' | 'cutBack' | 'forked'; detail: string }
  | { outcome: 'failed'; fault: 'screen'; comparison: Comparison }
  /** Another name or key: nothing is proved. The checkpoint is the file's. */
  | { outcome: 'changed'; keep: Kept };

export type Outcome = Passed | Failed;

/** How much of the file is read, from 0 to 1. */
type Progress = (share: number) => void;

export async function check(task: Task, tiles: TileReader, progress: Progress): Promise<Outcome> {
  try {
    return await checkAll(task, tiles, progress);
  } catch (error) {
    if (!(error instanceof ProofFailure)) throw error;
    return { outcome: 'failed', fault: error.fault, detail: error.message };
  }
}

async function checkAll(task: Task, tiles: TileReader, progress: Progress): Promise<Outcome> {
  const known = parseKeys(task.kept?.keys ?? task.keys);
  if (!known) throw new ProofFailure('signature', 'the log shows no key');
  const witnesses = task.witnesses.map(parseKey).filter((key) => key?.kind === 'witness');
  const keys = [...known, ...witnesses.filter((key) => key !== null)];
  const comparer = new Comparer(task.book);
  const file = async (with_: readonly NoteKey[]) => read(task.file, with_, comparer, progress);
  const verified = await file(keys).catch((error) => {
    const other = task.kept && error instanceof ProofFailure && isOtherLog(error);
    if (other) return null;
    throw error;
  });
  if (!verified) return otherLog(task);
  if (verified.book !== task.book || verified.month !== task.month) {
    return { outcome: 'failed', fault: 'month', detail: `${verified.book} ${verified.month}` };
  }
  const { checkpoint } = verified;
  const grew = await growth(task.kept, checkpoint, tiles);
  if (grew === 'cutBack' || grew === 'forked')
    return { outcome: 'failed', fault: grew, detail: '' };
  const made = Date.parse(verified.made);
  const comparison = comparer.compare(task.lines, task.balances, made);
  if (differs(comparison)) return { outcome: 'failed', fault: 'screen', comparison };
  return {
    outcome: 'passed',
    transactions: verified.transactions,
    size: String(checkpoint.size),
    root: verified.note.split('\n')[2] ?? '',
    cosignatures: verified.cosignatures.map(({ name, at }) => ({ name, at: Number(at) * 1000 })),
    grew,
    comparison,
    balancesOf: verified.balances?.day ?? null,
    keep: { keys: keysAfter(task, verified.note), checkpoint: verified.note },
  };
}

const isOtherLog = ({ fault }: ProofFailure) => fault === 'origin' || fault === 'signature';
const differs = ({ onlyShown, onlyProved, balances }: Comparison) =>
  onlyShown.length + onlyProved.length + balances.length > 0;

async function read(
  file: Blob,
  keys: readonly NoteKey[],
  comparer: Comparer | null,
  progress: Progress,
) {
  const reader = proofReader(keys, comparer?.add);
  const parts = file.stream().getReader();
  let bytes = 0;
  for (;;) {
    const { done, value } = await parts.read();
    if (done) return reader.finish();
    reader.push(value);
    bytes += value.length;
    progress(bytes / file.size);
  }
}

/** The file is not that of the log which this device knows: it may be one of the log as it is now. */
async function otherLog(task: Task): Promise<Outcome> {
  const now = parseKeys(task.keys);
  if (!now || task.keys === task.kept?.keys) {
    throw new ProofFailure('signature', 'the log did not sign the checkpoint');
  }
  const verified = await read(task.file, now, null, () => {});
  return { outcome: 'changed', keep: { keys: task.keys, checkpoint: verified.note } };
}

type Growth = 'first' | 'same' | 'grew' | 'cutBack' | 'forked';

async function growth(kept: Kept | null, now: Checkpoint, tiles: TileReader): Promise<Growth> {
  const note = kept && parseNote(utf8(kept.checkpoint));
  const before = note && parseCheckpoint(note.text);
  if (!before) return 'first';
  if (now.size < before.size) return 'cutBack';
  const own: TileReader = (path) => tiles(tileFolder(now.origin) + path);
  if (!(await onlyGrew(before, now, own))) return 'forked';
  return now.size === before.size ? 'same' : 'grew';
}

/** The keys that were known, and those with which the log signs as well from now on. */
function keysAfter({ kept, keys }: Task, checkpoint: string): string {
  if (!kept) return keys;
  const note = parseNote(utf8(checkpoint));
  const known = kept.keys.split('\n');
  const more = keys.split('\n').filter((line) => {
    const key = parseKey(line.trim());
    return key && note && !known.includes(line) && isSigned(note, key) === true;
  });
  return [...known, ...more].filter((line) => line !== '').join('\n');
}
