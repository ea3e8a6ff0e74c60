import { ask, commonHeaders, reportUnlessShown, unwrap } from './call';
import type { InPath, PicturePath } from './contract/endpoints';
import { ApiError } from './errors';
import { session } from './session';

/** A picture that only its user may see. A plain image could not show it: it sends no token. */
export async function fetchPicture(
  path: PicturePath,
  { id }: InPath<PicturePath>,
  signal?: AbortSignal,
): Promise<Blob> {
  const { token } = session.get();
  const init = { headers: commonHeaders(token), signal };
  try {
    return await ask(`/api${path.replace('{id}', id)}`, init, async (response) => {
      const type = response.headers.get('Content-Type') ?? '';
      // Anything else is an envelope with a refusal.
      return type.startsWith('image/') ? response.blob() : unwrap<never>(await response.json());
    });
  } catch (error) {
    if (error instanceof ApiError) reportUnlessShown(error, token);
    throw error;
  }
}
