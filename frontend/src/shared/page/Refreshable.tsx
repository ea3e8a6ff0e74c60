import { notifyManager, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useCallback, useSyncExternalStore } from 'react';
import { unread } from '@/shared/account/unread';
import { PullToRefresh } from '@/ui/lists/PullToRefresh';

/** A page whose figures can be refreshed, with their time. */
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

/** When the oldest figure on the page was fetched. */
function useAsOf(client: QueryClient): number | null {
  const subscribe = useCallback(
    (listener: () => void) => client.getQueryCache().subscribe(notifyManager.batchCalls(listener)),
    [client],
  );
  return useSyncExternalStore(subscribe, () => {
    const active = client.getQueryCache().findAll({ type: 'active' });
    const times = active
      // The age of the stored user is unknown.
      .filter(({ state }) => state.data !== undefined && state.dataUpdatedAt > 0)
      .map(({ state }) => state.dataUpdatedAt);
    return times.length ? Math.min(...times) : null;
  });
}
