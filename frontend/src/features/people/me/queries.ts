import { queryOptions } from '@tanstack/react-query';
import { readQuery } from '@/api/queries/read';

export const sessionsQuery = queryOptions({
  ...readQuery(['sessions'], 'GET', '/user/sessions'),
  // A session may just have started or ended elsewhere; what was read for the page is recent
  // enough.
  staleTime: 5000,
});
