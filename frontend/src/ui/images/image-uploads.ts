import type { ParseKeys } from 'i18next';
import type { UploadPath } from '@/api/contract/endpoints';
import { ApiError, NetworkError } from '@/api/errors';
import type { UploadedFile } from '@/api/types';
import { uploadImage } from '@/api/upload';
import { createStore } from '@/external-store';
import { newId } from '@/new-id';
import { imageProblem } from './image-problem';

export type ImageItem = {
  key: string;
  name: string;
  /** The address of the picture: a local one until it has been sent. */
  preview: string;
  /** 0 to 100 while it is being sent. */
  percent: number;
  /** The file on the server, once it is stored. */
  sent: UploadedFile | null;
  /** Why it was refused, in the server's words or as a key of ours. */
  problem: { text: string } | { key: ParseKeys } | null;
  /** A file that can never be taken is only removed, not tried again. */
  final: boolean;
};

/** The endpoint for the upload, and the function that loads pictures without a preview. */
type Place = { path?: UploadPath; look?: (sent: UploadedFile) => Promise<Blob> };

/**
 * Pictures on their way to the server. They live outside the page: leaving it neither stops one
 * that is being sent nor forgets one that failed.
 */
export function createImageUploads(
  max: number,
  initial: ImageItem[] = [],
  { path, look }: Place = {},
) {
  const items = createStore<ImageItem[]>(initial);
  const files = new Map<string, { file: File; sending: AbortController }>();

  const change = (key: string, next: Partial<ImageItem>) =>
    items.set(items.get().map((item) => (item.key === key ? { ...item, ...next } : item)));

  const send = async (key: string) => {
    const entry = files.get(key);
    if (!entry) return;
    change(key, { problem: null, percent: 0 });
    try {
      const sent = await uploadImage(entry.file, {
        ...(path && { path }),
        onProgress: (share) => change(key, { percent: Math.floor(share * 100) }),
        signal: entry.sending.signal,
      });
      change(key, { sent, percent: 100 });
    } catch (error) {
      change(key, refusal(error));
    }
  };

  const take = (file: File) => {
    const key = newId();
    const problem = imageProblem(file);
    const preview = problem === 'ui.image.notAnImage' ? '' : URL.createObjectURL(file);
    const item = { key, name: file.name, preview, percent: 0, sent: null };
    if (problem) {
      items.set([...items.get(), { ...item, problem: { key: problem }, final: true }]);
      return;
    }
    files.set(key, { file, sending: new AbortController() });
    items.set([...items.get(), { ...item, problem: null, final: false }]);
    void send(key);
  };

  const remove = (key: string) => {
    files.get(key)?.sending.abort();
    files.delete(key);
    const preview = items.get().find((item) => item.key === key)?.preview ?? '';
    if (preview.startsWith('blob:')) URL.revokeObjectURL(preview);
    items.set(items.get().filter((item) => item.key !== key));
  };

  for (const { key, preview, sent } of initial) {
    // Without a preview, the picture's name is shown.
    if (look && sent && !preview)
      look(sent).then(
        (seen) => change(key, { preview: URL.createObjectURL(seen) }),
        () => {},
      );
  }

  return {
    max,
    get: items.get,
    use: items.use,
    subscribe: items.subscribe,
    /** Takes as many as there is room for; false when some were left out. */
    add(given: readonly File[]): boolean {
      const room = Math.max(0, max - items.get().length);
      for (const file of given.slice(0, room)) take(file);
      return given.length <= room;
    },
    retry: (key: string) => void send(key),
    remove,
    clear() {
      for (const { key } of items.get()) remove(key);
    },
  };
}

export type ImageUploads = ReturnType<typeof createImageUploads>;

function refusal(error: unknown): Pick<ImageItem, 'problem' | 'final'> {
  if (!(error instanceof ApiError)) {
    const answered = error instanceof NetworkError && !error.lost;
    return { problem: { key: answered ? 'ui.image.refused' : 'ui.image.lost' }, final: false };
  }
  const text = error.msg;
  return { problem: text ? { text } : { key: 'ui.image.refused' }, final: error.code === 405 };
}

/** Whether one is still being sent. */
export function isSending({ sent, problem }: ImageItem): boolean {
  return !sent && !problem;
}
