import { call } from '@/api/call';
import type { Body } from '@/api/contract/endpoints';
import type { Shown } from '@/api/contract/refusal';
import { invalidateAfter } from '@/api/queries/invalidate';
import { useInvalidatingMutation } from '@/api/queries/use-invalidating-mutation';
import { queryClient } from '@/api/query-client';
import { setUser } from '@/api/user';

type ProfileChange = Omit<Body<'/user/info/edit'>, 'lang'>;

/** Saves changes. The caller shows the server's field errors, and `inline` ones. */
export function useSaveProfile(...inline: Shown[]) {
  return async (body: ProfileChange) => {
    const shown: Shown[] = ['fields', ...inline];
    const user = await call('POST', '/user/info/edit', { body, inline: shown });
    setUser(user);
    void invalidateAfter(queryClient, 'saveProfile');
    return user;
  };
}

/**
 * Ends all sessions, this one included, so nothing is fetched again. Afterwards, staff cannot open
 * the account for a day.
 */
export const endEverySession = () => call('POST', '/user/sessions/end', { body: { all: true } });

/** There are never many; one that has ended meanwhile is not a failure. */
export function useEndSessions() {
  const end = (id: string) =>
    call('POST', '/user/sessions/end', { body: { id }, inline: ['not_found'] }).catch(ignoreEnded);
  return useInvalidatingMutation('endSessions', (ids: string[]) => Promise.all(ids.map(end)), {
    awaitRefetch: true,
  });
}

function ignoreEnded(error: unknown) {
  if (error instanceof Error && 'error' in error && error.error === 'not_found') return;
  throw error;
}
