import { createDraft } from '@/shared/forms/draft';
import type { ImageItem } from '@/ui/images/image-uploads';
import { createDraftPictures } from '../draft-pictures';

export const maxImages = 6;

type Draft = { topic: string; content: string; images: ImageItem[] };

const empty: Draft = { topic: '', content: '', images: [] };

export const draft = createDraft('feedback', empty);

export const draftImages = createDraftPictures(maxImages, {
  subscribe: draft.subscribe,
  get: () => draft.get().images,
  // After a reload a picture can only be shown from the server.
  keep: (sent) =>
    draft.change({ images: sent.map((item) => ({ ...item, preview: item.sent?.url ?? '' })) }),
  isEmpty: () => draft.get() === empty,
});
