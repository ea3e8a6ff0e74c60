import { onOtherSession } from '@/api/session';

/** Only in memory, and only for the signed-in user: nobody sees what another account typed. */
export function createSessionMap<T>(): Map<string, T> {
  const stored = new Map<string, T>();
  onOtherSession(() => stored.clear());
  return stored;
}
