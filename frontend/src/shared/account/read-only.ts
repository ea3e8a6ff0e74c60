import { session, useSession } from '@/api/session';
import type { User } from '@/api/types';

type ReadOnlySession = NonNullable<User['session']>;

/** Whether staff look at this account: then the server refuses every change. */
export function isReadOnly(): boolean {
  return session.get().user?.session?.read_only ?? false;
}

/** The operator who looks at this account, if the session is a staff session. */
export function useReadOnly(): ReadOnlySession | null {
  return useSession().user?.session ?? null;
}
