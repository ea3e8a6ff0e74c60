import { type Download, saveFile } from '@/api/download';
import type { Witnessed } from './kept';

/**
 * The file, which ends with the checkpoint that it was checked against, and the one that this device had kept, with
 * the keys: all that somebody else needs to find the same.
 */
export function saveEvidence(file: Download, before: Witnessed | null) {
  saveFile(file);
  if (!before) return;
  const { checkpoint, keys, at } = before;
  const text = `# ${new Date(at).toISOString()}\n${keys.trimEnd()}\n\n${checkpoint}`;
  saveFile({ file: new Blob([text], { type: 'text/plain' }), name: 'placard-checkpoint.txt' });
}
