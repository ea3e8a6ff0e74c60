import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../call';

export const propertyQuery = queryOptions({
  queryKey: ['property'],
  queryFn: ({ signal }) => call('GET', '/user/property', { signal }),
  // Staff, settlements and billing move money too, so a page never decides on an old balance. But
  // it need not ask again for the one that was read while its code was loading.
  staleTime: 5000,
});

/** The figures of the wallet, for several pages. */
export function useProperty() {
  return useQuery(propertyQuery);
}
