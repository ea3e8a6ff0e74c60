import type { QueryClient } from '@tanstack/react-query';

/**
 * Starts a page's first queries, by its address, while its code is still loading. The page uses the
 * same options, so it takes these answers instead of fetching again.
 */
export type Loader = (client: QueryClient, search: URLSearchParams) => Promise<unknown>[];
