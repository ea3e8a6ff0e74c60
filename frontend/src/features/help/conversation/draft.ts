import { fetchPicture } from '@/api/picture';
import { newId } from '@/new-id';
import { createDraft } from '@/shared/forms/draft';
import type { ImageItem } from '@/ui/images/image-uploads';
import { createDraftPictures } from '../draft-pictures';

/** The server's limits. */
export const maxLength = 2000;
export const maxPictures = 4;

type Draft = {
  text: string;
  pictures: ImageItem[];
  /**
   * The idempotency key of the message as it was first sent; a changed message gets another one.
   */
  key: string;
};

const empty: Draft = { text: '', pictures: [], key: '' };

export const draft = createDraft('message', empty);

export const draftPictures = createDraftPictures(
  maxPictures,
  {
    subscribe: draft.subscribe,
    get: () => draft.get().pictures,
    keep: (sent) => {
      const same = idsOf(sent) === idsOf(draft.get().pictures);
      // After a reload the preview has to be fetched again.
      const kept = sent.map((item) => ({ ...item, preview: '' }));
      draft.change({ pictures: kept, ...(!same && { key: '' }) });
    },
    isEmpty: () => draft.get() === empty,
  },
  { path: '/customer/pictures', look: ({ id }) => fetchPicture('/customer/pictures/{id}', { id }) },
);

const idsOf = (items: ImageItem[]) => items.map(({ sent }) => sent?.id).join();

/** The key under which the message is sent, until it has arrived or is changed. */
export function draftKey(): string {
  if (!draft.get().key) draft.change({ key: newId() });
  return draft.get().key;
}
