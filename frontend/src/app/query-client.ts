import { QueryClient } from '@tanstack/react-query';
import { NetworkError } from '@/api/errors';
import { session } from '@/api/session';

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // The server's refusals are final; only a lost connection is worth a second try.
      retry: (failures, error) => error instanceof NetworkError && failures < 1,
    },
  },
});

// Nobody may see a glimpse of the account that was signed in before.
let token = session.get().token;
session.subscribe(() => {
  if (session.get().token === token) return;
  token = session.get().token;
  queryClient.clear();
});
