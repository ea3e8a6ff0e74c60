import { fetchPicture } from '@/api/picture';
import { session } from '@/api/session';
import { createDraft } from '@/shared/forms/draft';
import { createImageUploads, type ImageItem, type ImageUploads } from '@/ui/images/image-uploads';

/** The server's limits. */
export const maxLength = 2000;
export const maxPictures = 4;

type Draft = {
  text: string;
  pictures: ImageItem[];
  /** Of the message as it was first sent; a changed message is another one. */
  key: string;
};

const empty: Draft = { text: '', pictures: [], key: '' };

export const draft = createDraft('message', empty);

let pictures: { user: string; uploads: ImageUploads } | null = null;

/** The signed-in user's pictures; the draft stores those that were uploaded. */
export function draftPictures(): ImageUploads {
  const user = session.get().user?.id ?? '';
  if (pictures?.user === user) return pictures.uploads;
  const uploads = createImageUploads(maxPictures, draft.get().pictures, {
    path: '/customer/pictures',
    look: ({ id }) => fetchPicture('/customer/pictures/{id}', { id }),
  });
  uploads.subscribe(() => {
    if (pictures?.uploads !== uploads) return;
    const sent = uploads.get().filter((item) => item.sent);
    const same = idsOf(sent) === idsOf(draft.get().pictures);
    // After a reload the preview has to be fetched again.
    const kept = sent.map((item) => ({ ...item, preview: '' }));
    draft.change({ pictures: kept, ...(!same && { key: '' }) });
  });
  pictures = { user, uploads };
  return uploads;
}

const idsOf = (items: ImageItem[]) => items.map(({ sent }) => sent?.id).join();

/** The key under which the message is sent, until it has arrived or is changed. */
export function draftKey(): string {
  if (!draft.get().key) draft.change({ key: crypto.randomUUID() });
  return draft.get().key;
}

draft.subscribe(() => {
  if (draft.get() !== empty) return;
  const old = pictures?.uploads;
  pictures = null;
  old?.clear();
});
