import { ask } from './call';

/** What the public log's server says of it. Whoever looks at the log needs no session. */
export type LogState = {
  size: number;
  checkpoint_at: string;
  cosigned_at: string | null;
  /** Since when too few witnesses sign; none while enough do. */
  missing_since: string | null;
  /** How few witnesses are enough. */
  needed: number;
  witnesses: readonly { name: string; key?: string; cosigned_at: string | null }[];
};

/** None where nothing was published yet. */
export async function fetchLogState(signal: AbortSignal): Promise<LogState | null> {
  const read = (response: Response): Promise<{ public_log: LogState | null }> => response.json();
  return (await ask('/log/state', { signal }, read)).public_log;
}

/** The keys that the log signs with, one a line. */
export function fetchLogKeys(signal: AbortSignal): Promise<string> {
  return ask('/log/key', { signal }, (response) => response.text());
}
