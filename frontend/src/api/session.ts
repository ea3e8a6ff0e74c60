import { createStore } from '@/external-store';
import { readStored, readText, store } from '@/stored';
import type { Signed, User } from './types';

/** The stored data of the signed-in user. The keys are the specification's. */
const keys = { token: 'fb_token', user: 'fb_userInfo' } as const;

type SignInPath = '/login' | '/ad-welcome';

type Session = {
  token: string | null;
  user: User | null;
  /** The page to which pages that need a login redirect while nobody is signed in. */
  signInPath: SignInPath;
  /** Whether the user has ended the last session here, and so is done with its page. */
  left: boolean;
};

function load() {
  return {
    token: readText('localStorage', keys.token),
    user: readStored('localStorage', keys.user) as User | null,
  };
}

/** The stored session as text. If this tab cannot store anything, it never changes. */
const stored = () =>
  `${readText('localStorage', keys.token)} ${readText('localStorage', keys.user)}`;
let known = stored();

function keep(key: string, value: unknown) {
  const heard = stored() === known;
  store('localStorage', key, value);
  // Otherwise another tab has stored something that is still to be heard of.
  if (heard) known = stored();
}

/** The session was ended elsewhere. Users of a native shell have no password to log in with. */
function elsewhere() {
  const registered = current.get().user?.entry === 'register';
  return { signInPath: registered ? '/login' : '/ad-welcome', left: false } as const;
}

const current = createStore<Session>({ ...load(), signInPath: '/login', left: false });

function change(next: Partial<Session>) {
  current.set({ ...current.get(), ...next });
}

export const session = {
  get: current.get,
  subscribe: current.subscribe,
  signIn({ token, user }: Signed) {
    keep(keys.token, token);
    keep(keys.user, user);
    change({ token, user });
  },
  /** Follows the query in user.ts. */
  keepUser(user: User) {
    keep(keys.user, user);
    change({ user });
  },
  /** The user has ended it. */
  clear() {
    keep(keys.token, null);
    keep(keys.user, null);
    change({ token: null, user: null, signInPath: '/login', left: true });
  },
  /** The server has ended it. */
  expire() {
    const { token } = current.get();
    // Another tab may have begun the next session, and this tab may not have heard of it yet.
    session.reload();
    if (current.get().token !== token) return;
    keep(keys.token, null);
    keep(keys.user, null);
    change({ token: null, user: null, ...elsewhere() });
  },
  /** Reads storage again after another tab's sign-in or sign-out. */
  reload() {
    if (stored() === known) return;
    known = stored();
    const next = load();
    change(current.get().token && !next.token ? { ...next, ...elsewhere() } : next);
  },
};

/** When somebody else is signed in, or nobody. */
export function onOtherSession(listener: () => void) {
  let { token } = current.get();
  current.subscribe(() => {
    if (current.get().token === token) return;
    token = current.get().token;
    listener();
  });
}

export const useSession = current.use;
