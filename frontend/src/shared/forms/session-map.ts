import { onOtherSession } from '@/api/session';

/**
 * A map that exists only in memory, and only for the signed-in user: another account never sees
 * what was typed.
 */
export function createSessionMap<T>(): Map<string, T> {
  const stored = new Map<string, T>();
  onOtherSession(() => stored.clear());
  return stored;
}
