import { session } from '@/api/session';
import { createStore } from '@/external-store';

const prefix = 'placard_hint_';
const keyOf = (user: string | undefined) => `${prefix}${user ?? ''}`;

/** Counts changes, so that the page checks again. */
const changes = createStore(0);
session.subscribe(() => changes.set(changes.get() + 1));

/** Whether the question marks still need to be pointed out to this user on this device. */
export function useHint(): boolean {
  changes.use();
  try {
    return localStorage.getItem(keyOf(session.get().user?.id)) === null;
  } catch {
    // It could not be stored as seen, and a hint that keeps coming back is annoying.
    return false;
  }
}

/** The hint was read, or a question mark was pressed. */
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
    // Without storage, nothing was stored.
  }
}
