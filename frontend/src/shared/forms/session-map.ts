import { session } from '@/api/session';

/**
 * A map that exists only in memory, and only for its user: another account never sees what was
 * typed, and after logging out nobody does. A session that has ended by itself leaves it: the user
 * signs in again and goes on.
 */
export function createSessionMap<T>(): Map<string, T> {
  const stored = new Map<string, T>();
  let owner = session.get().user?.id;
  session.subscribe(() => {
    const { user, left } = session.get();
    if (user ? user.id === owner : !left) return;
    owner = user?.id;
    stored.clear();
  });
  return stored;
}
