import { session } from '@/api/session';
import { createStore } from '@/external-store';

const prefix = 'placard_draft_';
const clearing = new Set<() => void>();

/**
 * What was typed into a long form and not sent yet. It survives leaving the page, a reload and an
 * expired session; another user of the same browser never sees it.
 */
export function createDraft<T extends object>(name: string, empty: T) {
  let owner = ownerKey(name);
  const draft = createStore<T>(read(owner, empty));
  session.subscribe(() => {
    const next = ownerKey(name);
    // A signed-out user sees no such page, and finds it again after signing in.
    if (next === owner || !session.get().user) return;
    owner = next;
    draft.set(read(owner, empty));
  });
  const clear = () => {
    draft.set(empty);
    forget(owner);
  };
  clearing.add(clear);
  return {
    get: draft.get,
    use: draft.use,
    subscribe: draft.subscribe,
    change(part: Partial<T>) {
      draft.set({ ...draft.get(), ...part });
      write(owner, draft.get());
    },
    clear,
  };
}

/** Unlike the end of a session, logging out should leave nothing behind. */
export function forgetDrafts() {
  for (const clear of clearing) clear();
  try {
    // Including those of pages not opened since the last reload.
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix)) forget(key);
  } catch {
    // Without storage, nothing was stored.
  }
}

function ownerKey(name: string): string {
  return `${prefix}${name}_${session.get().user?.id ?? ''}`;
}

function read<T extends object>(key: string, empty: T): T {
  try {
    const kept = JSON.parse(sessionStorage.getItem(key) ?? '{}') as Partial<T>;
    return { ...empty, ...kept };
  } catch {
    return empty;
  }
}

function write(key: string, value: object) {
  try {
    sessionStorage.setItem(key, JSON.stringify(value));
  } catch {
    // The store itself keeps it as long as the page is open.
  }
}

function forget(key: string) {
  try {
    sessionStorage.removeItem(key);
  } catch {
    // Nothing was stored.
  }
}
