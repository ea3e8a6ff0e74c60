import { session } from '@/api/session';
import { createStore } from '@/external-store';

const prefixes = {
  hint: 'placard_hint_',
  firstSteps: 'placard_first_steps_',
  push: 'placard_push_',
} as const;

/** Counts changes, so that the page checks again. */
const changes = createStore(0);
session.subscribe(() => changes.set(changes.get() + 1));

/** Something that this user has seen or put away, remembered by the device until the logout. */
export function createSeenFlag(what: keyof typeof prefixes) {
  const keyOf = () => `${prefixes[what]}${session.get().user?.id ?? ''}`;
  return {
    /** `null` if nothing can be remembered here. */
    use(): boolean | null {
      changes.use();
      try {
        return localStorage.getItem(keyOf()) !== null;
      } catch {
        return null;
      }
    },
    note() {
      try {
        localStorage.setItem(keyOf(), 'seen');
      } catch {
        return;
      }
      changes.set(changes.get() + 1);
    },
  };
}

/** Logging out leaves nothing behind. */
export function clearSeenFlags() {
  try {
    for (const key of Object.keys(localStorage)) {
      const ours = Object.values(prefixes).some((prefix) => key.startsWith(prefix));
      if (ours) localStorage.removeItem(key);
    }
  } catch {
    // Without storage, nothing was stored.
  }
}
