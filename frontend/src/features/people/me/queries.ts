import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '@/api/call';

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => call('GET', '/user/sessions', { signal }),
  // A session may just have started or ended elsewhere; what was read for the page is recent
  // enough.
  staleTime: 5000,
});

export function useSessions() {
  return useQuery(sessionsQuery);
}
