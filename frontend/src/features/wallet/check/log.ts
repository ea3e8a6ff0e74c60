import { ask } from '@/api/call';
import type { LogState } from '@/api/types';

/** Whoever looks at the log needs no session. None where nothing was published yet. */
export async function fetchLogState(signal: AbortSignal): Promise<LogState | null> {
  const read = (response: Response): Promise<{ public_log: LogState | null }> => response.json();
  return (await ask('/log/state', { signal }, read)).public_log;
}

/** The keys that the log signs with, one a line. */
export function fetchLogKeys(signal: AbortSignal): Promise<string> {
  return ask('/log/key', { signal }, (response) => response.text());
}
