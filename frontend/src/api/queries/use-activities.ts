import { queryOptions, useQuery } from '@tanstack/react-query';
import { currentLanguage } from '@/i18n/texts';
import { call } from '../call';

/** Titles and rules are in the reader's language. */
export function activitiesQuery() {
  return queryOptions({
    queryKey: ['activities', currentLanguage()],
    queryFn: ({ signal }) => call('GET', '/activities', { signal }),
  });
}

export function useActivities() {
  return useQuery(activitiesQuery());
}
