import { session } from '@/api/session';

/** Only in memory, and only for the signed-in user: nobody sees what another account typed. */
export function createKept<T>(): Map<string, T> {
  const kept = new Map<string, T>();
  let token = session.get().token;
  session.subscribe(() => {
    if (session.get().token === token) return;
    token = session.get().token;
    kept.clear();
  });
  return kept;
}
