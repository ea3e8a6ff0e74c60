import { session } from '@/api/session';
import { createStore } from '@/external-store';

const prefix = 'placard_hint_';
const keyOf = (user: string | undefined) => `${prefix}${user ?? ''}`;

/** Counts changes, so that the page looks anew. */
const changes = createStore(0);
session.subscribe(() => changes.set(changes.get() + 1));

/** Whether the question marks are still to be pointed out to whoever is signed in on this device. */
export function useHint(): boolean {
  changes.use();
  try {
    return localStorage.getItem(keyOf(session.get().user?.id)) === null;
  } catch {
    // It could not be remembered as seen, and a hint that always comes back is in the way.
    return false;
  }
}

/** It was read, or one of them was pressed. */
export function dropHint() {
  try {
    localStorage.setItem(keyOf(session.get().user?.id), 'seen');
  } catch {
    return;
  }
  changes.set(changes.get() + 1);
}

/** Logging out leaves nothing behind. */
export function forgetHints() {
  try {
    for (const key of Object.keys(localStorage)) {
      if (key.startsWith(prefix)) localStorage.removeItem(key);
    }
  } catch {
    // Where storage is refused nothing was kept.
  }
}
