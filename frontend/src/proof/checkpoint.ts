/** Checkpoints: what a log signs (C2SP tlog-checkpoint). */
import { hashFromBase64 } from './bytes';
import type { TreeHead } from './tree';

export type Checkpoint = TreeHead & {
  /** Tells the log from every other. */
  origin: string;
  /** Further lines, such as the last checkpoint of the log before this one. */
  extensions: readonly string[];
};

const largest = 2n ** 63n - 1n;

/** A number as it is written: without a sign, and without zeros in front. */
export function readNumber(text: string, most: bigint = largest): bigint | null {
  if (!/^(0|[1-9][0-9]{0,18})$/.test(text)) return null;
  const number = BigInt(text);
  return number <= most ? number : null;
}

export function parseCheckpoint(text: string): Checkpoint | null {
  if (!text.endsWith('\n')) return null;
  const [origin = '', count = '', encoded = '', ...extensions] = text.slice(0, -1).split('\n');
  const size = readNumber(count);
  const root = hashFromBase64(encoded);
  const filled = origin !== '' && !extensions.includes('');
  return filled && size !== null && root ? { origin, size, root, extensions } : null;
}
