import type { QueryClient } from '@tanstack/react-query';

/**
 * What a page reads first, by its address, requested while its code is still loading. The page uses
 * the same options, so it takes these answers instead of asking again.
 */
export type Loader = (client: QueryClient, search: URLSearchParams) => Promise<unknown>[];
