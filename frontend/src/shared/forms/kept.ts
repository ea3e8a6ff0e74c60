import { session } from '@/api/session';

/** In memory alone, and for whoever is signed in: nobody sees what another account typed. */
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
