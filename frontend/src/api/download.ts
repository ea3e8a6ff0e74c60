import { ask, commonHeaders, queryString, reportUnlessShown, unwrap } from './call';
import type { FilePath, WithOptions } from './contract/endpoints';
import { ApiError } from './errors';
import { session } from './session';

export type Download = { file: Blob; name: string };

type Options = {
  signal?: AbortSignal;
  /** The bytes received so far; the total is unknown while the server writes. */
  onProgress?: (bytes: number) => void;
  /** Headers that replace the session's; the page then shows refusals itself. */
  headers?: Headers;
};

type Sendable = Options & { query?: Parameters<typeof queryString>[0] };

/**
 * Downloads a file that only its owner may read, under the name given by the server. A plain link
 * could not, because it sends no token.
 */
export function downloadFile<P extends FilePath>(
  path: P,
  ...options: WithOptions<'GET', P, Options>
): Promise<void>;
export async function downloadFile(path: string, options: Sendable = {}): Promise<void> {
  const { token } = session.get();
  try {
    saveFile(await fetchFile(path, token, options));
  } catch (error) {
    // As for every read, the page itself shows a lost connection.
    if (error instanceof ApiError && !options.headers) reportUnlessShown(error, token);
    throw error;
  }
}

/** The file that proves a month of one's books, to be checked before it is kept. */
export async function fetchProof(month: string, options: Options): Promise<Download> {
  const { token } = session.get();
  try {
    return await fetchFile('/transaction_flow/proof', token, { ...options, query: { month } });
  } catch (error) {
    reportUnlessShown(error, token, ['all']);
    throw error;
  }
}

function fetchFile(
  path: string,
  token: string | null,
  { query, signal, onProgress, headers = commonHeaders(token) }: Sendable,
): Promise<Download> {
  const address = `/api${path}${queryString(query)}`;
  return ask(address, { headers, signal }, async (response) => {
    const disposition = response.headers.get('Content-Disposition');
    // Without a file name, the answer is not a file but an envelope with a refusal.
    if (!disposition) return unwrap<never>(await response.json());
    return { file: await read(response, onProgress), name: nameIn(disposition) };
  });
}

async function read(response: Response, onProgress: Options['onProgress']): Promise<Blob> {
  const type = response.headers.get('Content-Type') ?? '';
  const reader = response.body?.getReader();
  if (!reader) return response.blob();
  const parts: BlobPart[] = [];
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Blob(parts, { type });
    parts.push(value);
    bytes += value.length;
    onProgress?.(bytes);
  }
}

function nameIn(disposition: string): string {
  return /filename="?([^";]+)"?/.exec(disposition)?.[1] ?? 'download';
}

/** Hands a file to the browser's downloads. */
export function saveFile({ file, name }: Download) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  // Some browsers read it only after the click has returned.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
