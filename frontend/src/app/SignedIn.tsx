import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useSession } from '@/api/session';
import { MissingUser } from './MissingUser';
import { queryClient } from './query-client';

/** The pages that read the account; the query library loads with the first of them. */
export function SignedIn({ children }: { children: ReactNode }) {
  const { token, user } = useSession();
  return (
    <QueryClientProvider client={queryClient}>
      {token && !user ? <MissingUser /> : children}
    </QueryClientProvider>
  );
}
