import { onOtherSession } from '@/api/session';

/** Only in memory, and only for the signed-in user: nobody sees what another account typed. */
export function createKept<T>(): Map<string, T> {
  const kept = new Map<string, T>();
  onOtherSession(() => kept.clear());
  return kept;
}
