import { QueryClient } from '@tanstack/react-query';
import { NetworkError } from './errors';
import type { QueryName } from './queries/keys';
import { onOtherSession } from './session';

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // The browser only guesses whether there is a connection: a failed request shows it for
      // certain, while a paused one would show nothing for ever.
      networkMode: 'always',
      refetchOnReconnect: true,
      staleTime: 10_000,
      // After reading a row's details for a while, one comes back to a list as long as before.
      gcTime: 30 * 60_000,
      // The server's refusals are final; only a lost connection is worth a retry.
      retry: (failures, error) => error instanceof NetworkError && failures < 1,
    },
    mutations: { networkMode: 'always' },
  },
});

/**
 * Queries with the same answer for everybody, so a request that is under way at sign-in goes on.
 */
const ofEverybody: QueryName[] = ['basic-config'];

// No data of the previously signed-in account may be visible.
onOtherSession(() => {
  queryClient.removeQueries({ predicate: ({ queryKey: [name] }) => !ofEverybody.includes(name) });
  queryClient.getMutationCache().clear();
});
