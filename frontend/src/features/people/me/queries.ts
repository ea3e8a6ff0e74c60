import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '@/api/call';
import type { SignedInDevice } from '@/api/types';

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => call<SignedInDevice[]>('GET', '/user/sessions', { signal }),
  // One may have been begun or ended a moment ago, elsewhere.
  staleTime: 1000,
});

export function useSessions() {
  return useQuery(sessionsQuery);
}
