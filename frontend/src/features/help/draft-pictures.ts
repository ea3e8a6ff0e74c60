import { session } from '@/api/session';
import { createImageUploads, type ImageItem, type ImageUploads } from '@/ui/images/image-uploads';

type Draft = {
  subscribe: (listener: () => void) => void;
  get: () => ImageItem[];
  /** Stores those that were uploaded. */
  keep: (sent: ImageItem[]) => void;
  isEmpty: () => boolean;
};

/** The signed-in user's pictures of a draft, until it is sent or forgotten. */
export function createDraftPictures(
  max: number,
  draft: Draft,
  place?: Parameters<typeof createImageUploads>[2],
) {
  let pictures: { user: string; uploads: ImageUploads } | null = null;
  draft.subscribe(() => {
    if (!draft.isEmpty()) return;
    const old = pictures?.uploads;
    pictures = null;
    old?.clear();
  });
  return (): ImageUploads => {
    const user = session.get().user?.id ?? '';
    if (pictures?.user === user) return pictures.uploads;
    const uploads = createImageUploads(max, draft.get(), place);
    uploads.subscribe(() => {
      if (pictures?.uploads === uploads) draft.keep(uploads.get().filter(({ sent }) => sent));
    });
    pictures = { user, uploads };
    return uploads;
  };
}
