import { QueryClientProvider } from '@tanstack/react-query';
import { Outlet } from 'react-router-dom';
import { useSession } from '@/api/session';
import { MissingUser } from './MissingUser';
import { queryClient } from './query-client';

/** The pages that read the account; the query library loads with the first of them. */
export function SignedIn() {
  const { token, user } = useSession();
  return (
    <QueryClientProvider client={queryClient}>
      {token && !user ? <MissingUser /> : <Outlet />}
    </QueryClientProvider>
  );
}
