import { QueryClient } from '@tanstack/react-query';
import { NetworkError } from './errors';
import { session } from './session';

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // The browser only guesses whether there is a connection: a question that fails says so for sure,
      // while one that waits would show nothing for ever.
      networkMode: 'always',
      refetchOnReconnect: true,
      staleTime: 10_000,
      // Who reads what a row led to for a while comes back to a list that is as long as it was.
      gcTime: 30 * 60_000,
      // The server's refusals are final; only a lost connection is worth a second try.
      retry: (failures, error) => error instanceof NetworkError && failures < 1,
    },
    mutations: { networkMode: 'always' },
  },
});

// Nobody may see a glimpse of the account that was signed in before.
let token = session.get().token;
session.subscribe(() => {
  if (session.get().token === token) return;
  token = session.get().token;
  queryClient.clear();
});
