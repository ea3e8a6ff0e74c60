import { ask } from '@/api/call';
import { NetworkError } from '@/api/errors';
import type { LogState } from '@/api/types';

/** Whoever looks at the log needs no session. None where nothing was published yet. */
export async function fetchLogState(signal: AbortSignal): Promise<LogState | null> {
  const read = (response: Response): Promise<{ public_log: LogState | null }> => response.json();
  return (await ask('/log/state', { signal }, read)).public_log;
}

/** The keys that the log signs with, one a line; none where there is no log. */
export async function fetchLogKeys(signal: AbortSignal): Promise<string> {
  try {
    return await ask('/log/key', { signal }, (response) => response.text());
  } catch (error) {
    if (error instanceof NetworkError && error.status === 404) return '';
    throw error;
  }
}
