import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '@/api/call';
import { askAgain } from '@/api/queries/asked-again';
import { queryClient } from '@/api/query-client';
import type { User } from '@/api/types';
import { setUser } from '@/api/user';

export type ProfileChange = Partial<
  Record<'nickname' | 'email' | 'phone' | 'avatar' | 'password', string>
>;

/** Saves changes. The caller shows the server's field errors, and `inline` ones. */
export function useSaveProfile(...inline: string[]) {
  return async (body: ProfileChange) => {
    const shown = ['fields', ...inline];
    const user = await call<User>('POST', '/user/info/edit', { body, inline: shown });
    setUser(user);
    void askAgain(queryClient, 'saveProfile');
  };
}

/** There are never many; one that has ended meanwhile is not a failure. */
export function useEndSessions() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (ids: string[]) =>
      Promise.all(
        ids.map((id) =>
          call<object>('POST', '/user/sessions/end', { body: { id }, inline: ['not_found'] }).catch(
            ignoreEnded,
          ),
        ),
      ),
    onSettled: () => askAgain(client, 'endSessions'),
  });
}

function ignoreEnded(error: unknown) {
  if (error instanceof Error && 'error' in error && error.error === 'not_found') return;
  throw error;
}
