import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from './call';
import { session } from './session';
import type { User } from './types';

export const userInfoQuery = queryOptions({
  queryKey: ['user-info'],
  queryFn: async ({ signal }) => {
    const user = await call<User>('GET', '/user/info', { signal });
    session.setUser(user);
    return user;
  },
});

/** Who is signed in, as the server knows them now; what is stored of them follows. */
export function useUserInfo() {
  return useQuery(userInfoQuery);
}
