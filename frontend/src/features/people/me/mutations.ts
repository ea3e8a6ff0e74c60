import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '@/api/call';
import { session } from '@/api/session';
import type { User } from '@/api/types';

export type ProfileChange = Partial<Record<'nickname' | 'email' | 'phone' | 'avatar', string>>;

/** Saves what has changed. Who calls it shows the server's field errors, and `inline` besides. */
export function useSaveProfile(...inline: string[]) {
  const client = useQueryClient();
  return async (body: ProfileChange) => {
    const shown = ['fields', ...inline];
    const user = await call<User>('POST', '/user/info/edit', { body, inline: shown });
    session.setUser(user);
    client.setQueryData(['user-info'], user);
  };
}

/** There are never more than a handful; one that has ended meanwhile is no failure. */
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
    onSettled: () => client.invalidateQueries({ queryKey: ['sessions'] }),
  });
}

function ignoreEnded(error: unknown) {
  if (error instanceof Error && 'error' in error && error.error === 'not_found') return;
  throw error;
}
