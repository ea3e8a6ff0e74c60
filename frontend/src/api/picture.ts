import { commonHeaders, reportUnlessShown, unwrap } from './call';
import type { InPath, PicturePath } from './contract/endpoints';
import { ApiError, NetworkError } from './errors';
import { session } from './session';

/** A picture that only its user may see. A plain image could not show it: it sends no token. */
export async function fetchPicture(
  path: PicturePath,
  { id }: InPath<PicturePath>,
  signal?: AbortSignal,
): Promise<Blob> {
  const { token } = session.get();
  try {
    const response = await fetch(`/api${path.replace('{id}', id)}`, {
      headers: commonHeaders(token),
      signal,
    });
    if (!response.ok) throw new NetworkError(response.status, response.statusText);
    const type = response.headers.get('Content-Type') ?? '';
    // Anything else is an envelope with a refusal.
    if (!type.startsWith('image/')) return unwrap<never>(await response.json());
    return await response.blob();
  } catch (error) {
    if (error instanceof ApiError) reportUnlessShown(error, token);
    if (error instanceof ApiError || error instanceof NetworkError || signal?.aborted) throw error;
    throw new NetworkError(0, error instanceof Error ? error.message : 'network');
  }
}
