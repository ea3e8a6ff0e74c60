import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '@/api/call';
import type { SignedInDevice } from '@/api/types';

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => call<SignedInDevice[]>('GET', '/user/sessions', { signal }),
  // One may have been begun or ended a moment ago, elsewhere; what was read for the page is enough.
  staleTime: 5000,
});

export function useSessions() {
  return useQuery(sessionsQuery);
}
