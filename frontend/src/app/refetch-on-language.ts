import type { QueryClient } from '@tanstack/react-query';
import { session } from '@/api/session';

/** Texts from the server are fetched again after a change of the language. */
export function refetchOnLanguageChange(client: QueryClient) {
  let lang = session.get().user?.lang;
  return session.subscribe(() => {
    const now = session.get().user?.lang;
    if (now === lang) return;
    const changed = lang !== undefined && now !== undefined;
    lang = now;
    if (changed) void client.invalidateQueries();
  });
}
