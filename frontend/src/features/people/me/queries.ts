import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '@/api/call';
import type { SignedInDevice } from '@/api/types';

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => call<SignedInDevice[]>('GET', '/user/sessions', { signal }),
  // A session may just have started or ended elsewhere; what was read for the page is recent
  // enough.
  staleTime: 5000,
});

export function useSessions() {
  return useQuery(sessionsQuery);
}
