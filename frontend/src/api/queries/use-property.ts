import { queryOptions, useQuery } from '@tanstack/react-query';
import { readQuery } from './read';

export const propertyQuery = queryOptions({
  ...readQuery(['property'], 'GET', '/user/property'),
  // Staff, settlements and billing move money too, so a page never decides on an old balance. But
  // it need not ask again for the one that was read while its code was loading.
  staleTime: 5000,
});

/** The figures of the wallet, for several pages. */
export function useProperty() {
  return useQuery(propertyQuery);
}
