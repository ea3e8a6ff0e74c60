import { createStore } from '@/external-store';
import { readStored, readText, store } from '@/stored';
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

function load(): Session {
  return {
    token: readText('localStorage', keys.token),
    user: readStored('localStorage', keys.user) as User | null,
    signInPath: '/login',
  };
}

const keep = (key: string, value: unknown) => store('localStorage', key, value);

const current = createStore(load());

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
  clear(signInPath: SignInPath = '/login') {
    keep(keys.token, null);
    keep(keys.user, null);
    change({ token: null, user: null, signInPath });
  },
  /** Reads storage again after another tab's sign-in or sign-out. */
  reload() {
    change(load());
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
