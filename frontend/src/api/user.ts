import { queryOptions, useQuery } from '@tanstack/react-query';
import { readQuery } from './queries/read';
import { queryClient } from './query-client';
import { session, useSession } from './session';
import type { User } from './types';

export const userQuery = queryOptions({
  ...readQuery(['user-info'], 'GET', '/user/info'),
  // The stored user is shown at once, and fetched again.
  initialData: () => session.get().user ?? undefined,
  initialDataUpdatedAt: 0,
});

/** The signed-in user, as the server knows them now. */
export function useUserInfo() {
  // Somebody else may sign in meanwhile in another tab.
  useSession();
  return useQuery(userQuery);
}

/** The signed-in user, without a request. */
export function useUser(): User | null {
  useSession();
  return useQuery({ ...userQuery, enabled: false }).data ?? null;
}

/** Takes the user from another call's answer, unless that user has signed out meanwhile. */
export function setUser(user: User) {
  if (session.get().user?.id !== user.id) return;
  // An answer that is still under way is older than this one.
  void queryClient.cancelQueries({ queryKey: userQuery.queryKey });
  queryClient.setQueryData(userQuery.queryKey, user);
}

// The last answer is stored for the next visit, and for what surrounds the pages.
queryClient.getQueryCache().subscribe((event) => {
  if (event.type !== 'updated' || event.action.type !== 'success') return;
  const { queryKey, state } = event.query;
  if (queryKey[0] !== userQuery.queryKey[0] || state.data === session.get().user) return;
  session.keepUser(state.data as User);
});

// A user that another tab received is valid here too.
session.subscribe(() => {
  const { user } = session.get();
  const known = queryClient.getQueryData(userQuery.queryKey);
  if (user && known && user !== known) queryClient.setQueryData(userQuery.queryKey, user);
});
