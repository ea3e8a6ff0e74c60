import { ApiError } from '@/api/errors';

/** For the `inline` option: the page itself says that the plan is gone, or could not be loaded. */
export const goneRefusals = ['not_found', 'network'] as const;

type Asking = { queryFn?: unknown };

/** An address without an id names nothing, and the server need not be asked for it. */
export function requireIds<Q extends Asking>(ids: string[], query: Q): Q {
  if (!ids.includes('')) return query;
  const notFound = () => Promise.reject(new ApiError(405, '', { error: 'not_found' }));
  return { ...query, queryFn: notFound };
}
