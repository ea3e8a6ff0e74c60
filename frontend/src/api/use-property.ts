import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from './call';
import type { Property } from './types';

export const propertyQuery = queryOptions({
  queryKey: ['property'],
  queryFn: ({ signal }) => call<Property>('GET', '/user/property', { signal }),
  // Staff, settlements and billing move money too: a page never decides on an old balance, but
  // need not ask again for the one that was read for it while its code was on the way.
  staleTime: 5000,
});

/** The figures of the wallet, which more than one page needs. */
export function useProperty() {
  return useQuery(propertyQuery);
}
