import { notifyManager, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useCallback, useSyncExternalStore } from 'react';
import { unread } from '@/shared/account/unread';
import { PullToRefresh } from '@/ui/lists/PullToRefresh';

/** A page whose figures can be read anew, with the time as of which they are. */
export function Refreshable({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  const refresh = () =>
    Promise.all([
      client.refetchQueries({ type: 'active' }, { throwOnError: true }),
      unread.fetch(),
    ]);
  return (
    <PullToRefresh asOf={useAsOf(client)} onRefresh={refresh}>
      {children}
    </PullToRefresh>
  );
}

/** When the oldest of what the page shows was read: nothing on it is older than it says. */
function useAsOf(client: QueryClient): number | null {
  const subscribe = useCallback(
    (listener: () => void) => client.getQueryCache().subscribe(notifyManager.batchCalls(listener)),
    [client],
  );
  return useSyncExternalStore(subscribe, () => {
    const active = client.getQueryCache().findAll({ type: 'active' });
    const times = active
      // Nobody knows how old it is what the browser remembers of the user.
      .filter(({ state }) => state.data !== undefined && state.dataUpdatedAt > 0)
      .map(({ state }) => state.dataUpdatedAt);
    return times.length ? Math.min(...times) : null;
  });
}
