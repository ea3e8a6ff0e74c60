import { createStore } from '@/external-store';
import type { Signed, User } from './types';

/** The stored data of the signed-in user. The keys are the specification's. */
const keys = { token: 'fb_token', user: 'fb_userInfo' } as const;

type SignInPath = '/login' | '/ad-welcome';

type Session = {
  token: string | null;
  user: User | null;
  /** Where pages that need a login redirect while nobody is signed in. */
  signInPath: SignInPath;
};

function stored<T>(key: string): T | null {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null') as T | null;
  } catch {
    return null;
  }
}

function store(key: string, value: unknown) {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, typeof value === 'string' ? value : JSON.stringify(value));
  } catch {
    // Private windows may refuse storage; the session then lives as long as the page.
  }
}

function load(): Session {
  return {
    token: localStorage.getItem(keys.token),
    user: stored<User>(keys.user),
    signInPath: '/login',
  };
}

const current = createStore(load());

function change(next: Partial<Session>) {
  current.set({ ...current.get(), ...next });
}

export const session = {
  get: current.get,
  subscribe: current.subscribe,
  signIn({ token, user }: Signed) {
    store(keys.token, token);
    store(keys.user, user);
    change({ token, user });
  },
  /** Follows the query in user.ts. */
  keepUser(user: User) {
    store(keys.user, user);
    change({ user });
  },
  clear(signInPath: SignInPath = '/login') {
    store(keys.token, null);
    store(keys.user, null);
    change({ token: null, user: null, signInPath });
  },
  /** Reads storage again after another tab's sign-in or sign-out. */
  reload() {
    change(load());
  },
};

export const useSession = current.use;
