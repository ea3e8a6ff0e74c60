import { useQuery } from '@tanstack/react-query';
import { call } from '@/api/call';
import type { SignedInDevice } from '@/api/types';

export function useSessions() {
  return useQuery({
    queryKey: ['sessions'],
    queryFn: ({ signal }) => call<SignedInDevice[]>('GET', '/user/sessions', { signal }),
    // One may have been begun or ended a moment ago, elsewhere.
    staleTime: 0,
  });
}
