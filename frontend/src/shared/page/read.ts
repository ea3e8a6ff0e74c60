import type { QueryClient } from '@tanstack/react-query';

/**
 * What a page reads first, by its address: asked while its code is still on the way. The page asks
 * by the same options, so that it takes these answers instead of asking again.
 */
export type Read = (client: QueryClient, search: URLSearchParams) => Promise<unknown>[];
