import { useQuery } from '@tanstack/react-query';
import { call } from './call';
import type { Property } from './types';

/** The figures of the wallet, which more than one page needs. */
export function useProperty() {
  return useQuery({
    queryKey: ['property'],
    queryFn: ({ signal }) => call<Property>('GET', '/user/property', { signal }),
    // Staff, settlements and billing move money too: a page never decides on an old balance.
    staleTime: 0,
  });
}
