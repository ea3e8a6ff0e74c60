import type { createDraft } from '@/shared/forms/draft';
import type { ImageItem, ImageUploads } from '@/ui/images/image-uploads';

type Sent<T> = { texts: { [K in keyof T]?: string }; pictures: readonly ImageItem[] };

/** Removes what was sent from the draft. What was typed or added meanwhile stays. */
export function clearSent<T extends object>(
  draft: ReturnType<typeof createDraft<T>>,
  uploads: ImageUploads,
  { texts, pictures }: Sent<T>,
) {
  for (const { key } of pictures) uploads.remove(key);
  const now = draft.get();
  const names = Object.keys(texts) as (keyof T)[];
  const rest = names.map((name) => [name, unsent(String(now[name]), texts[name] ?? '')] as const);
  const nothing = uploads.get().length === 0 && rest.every(([, text]) => text === '');
  if (nothing) draft.clear();
  else draft.change(Object.fromEntries(rest) as Partial<T>);
}

/** If the user typed on, the rest is unsent; if the sent text was changed, all of it is. */
function unsent(now: string, sent: string): string {
  return now.startsWith(sent) ? now.slice(sent.length).trimStart() : now;
}
