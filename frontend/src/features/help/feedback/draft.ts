import { session } from '@/api/session';
import { createDraft } from '@/shared/forms/draft';
import { createImageUploads, type ImageItem, type ImageUploads } from '@/ui/images/image-uploads';

export const maxImages = 6;

type Draft = { topic: string; content: string; images: ImageItem[] };

const empty: Draft = { topic: '', content: '', images: [] };

export const draft = createDraft('feedback', empty);

let images: { user: string; uploads: ImageUploads } | null = null;

/** The signed-in user's pictures; the draft stores those that were uploaded. */
export function draftImages(): ImageUploads {
  const user = session.get().user?.id ?? '';
  if (images?.user === user) return images.uploads;
  const uploads = createImageUploads(maxImages, draft.get().images);
  uploads.subscribe(() => {
    if (images?.uploads === uploads) draft.change({ images: kept(uploads.get()) });
  });
  images = { user, uploads };
  return uploads;
}

/** After a reload a picture can only be shown from the server. */
function kept(items: ImageItem[]): ImageItem[] {
  return items.flatMap((item) => (item.sent ? [{ ...item, preview: item.sent.url }] : []));
}

draft.subscribe(() => {
  if (draft.get() !== empty) return;
  const old = images?.uploads;
  images = null;
  old?.clear();
});
