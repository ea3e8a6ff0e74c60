import { session } from '@/api/session';
import { createStore } from '@/external-store';
import { readStored, store, untilLogout } from '@/stored';

const clearing = new Set<() => void>();

/**
 * A draft of a long form that was not sent yet. It survives leaving the page, a reload and an
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
    store('sessionStorage', owner, null);
  };
  clearing.add(clear);
  return {
    get: draft.get,
    use: draft.use,
    subscribe: draft.subscribe,
    change(part: Partial<T>) {
      draft.set({ ...draft.get(), ...part });
      store('sessionStorage', owner, draft.get());
    },
    clear,
  };
}

/** Unlike the end of a session, logging out should leave nothing behind. */
export function forgetDrafts() {
  for (const clear of clearing) clear();
  try {
    // Including those of pages not opened since the last reload.
    for (const key of Object.keys(sessionStorage)) {
      if (key.startsWith(untilLogout)) sessionStorage.removeItem(key);
    }
  } catch {
    // Without storage, nothing was stored.
  }
}

function ownerKey(name: string): string {
  return `${untilLogout}${name}_${session.get().user?.id ?? ''}`;
}

function read<T extends object>(key: string, empty: T): T {
  return { ...empty, ...(readStored('sessionStorage', key) as Partial<T> | null) };
}
