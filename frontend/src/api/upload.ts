import { commonHeaders, type Envelope, reportUnlessShown, unwrap } from './call';
import type { Answer, UploadPath } from './contract/endpoints';
import type { Shown } from './contract/refusal';
import { NetworkError } from './errors';
import { session } from './session';

type Uploaded = Answer<'POST', UploadPath>;

type Options = {
  /** The call that takes it; by default it is shown to everybody who has its address. */
  path?: UploadPath;
  /** The share sent so far, 0 to 1. */
  onProgress?(share: number): void;
  signal?: AbortSignal;
};

/** Shown beside the refused picture, never as a toast. */
const inline: Shown[] = [
  'fields',
  'image_too_large',
  'image_too_complex',
  'image_kind_not_taken',
  'image_coding_not_taken',
  'image_damaged',
  'not_an_image',
  'network',
];

/** Uploads one picture, with XMLHttpRequest because fetch does not report progress. */
export async function uploadImage(image: Blob, options: Options = {}): Promise<Uploaded> {
  const { token } = session.get();
  try {
    return unwrap(await send(image, token, options));
  } catch (error) {
    if (!options.signal?.aborted) reportUnlessShown(error, token, inline);
    throw error;
  }
}

/**
 * In milliseconds without progress. A large picture may take longer, but a dead connection never
 * fails by itself.
 */
const patience = 60_000;

function send(
  image: Blob,
  token: string | null,
  { path = '/files/upload', onProgress, signal }: Options,
) {
  const form = new FormData();
  form.append('file', image, image instanceof File ? image.name : 'image');
  const request = new XMLHttpRequest();
  return new Promise<Envelope<Uploaded>>((resolve, reject) => {
    const lost = () => reject(new NetworkError(0, 'network'));
    request.open('POST', `/api${path}`);
    commonHeaders(token).forEach((value, name) => {
      request.setRequestHeader(name, value);
    });
    request.responseType = 'json';
    let limit: ReturnType<typeof setTimeout> | undefined;
    const wait = () => {
      clearTimeout(limit);
      limit = setTimeout(() => request.abort(), patience);
    };
    request.upload.onprogress = (event) => {
      wait();
      if (event.lengthComputable) onProgress?.(event.loaded / event.total);
    };
    request.onload = () => {
      const { status, statusText, response } = request;
      if (status === 200 && response) return resolve(response);
      const retryAfter = request.getResponseHeader('Retry-After');
      reject(new NetworkError(status, status === 200 ? '' : statusText, retryAfter));
    };
    request.onerror = lost;
    request.onabort = lost;
    request.onloadend = () => clearTimeout(limit);
    if (signal?.aborted) return lost();
    signal?.addEventListener('abort', () => request.abort());
    wait();
    request.send(form);
  });
}
