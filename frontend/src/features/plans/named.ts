import { ApiError } from '@/api/errors';

/** An address without an id names nothing, and the server need not be asked for it. */
export async function named<T>(ids: string[], ask: () => Promise<T>): Promise<T> {
  if (ids.includes('')) throw new ApiError(405, '', { error: 'not_found' });
  return ask();
}
