import type { ParseKeys } from 'i18next';
import { IMAGE_MAX_BYTES } from '@/ui/constants';

/**
 * The types that the server accepts. With this list, a phone converts its own formats into one of
 * them.
 */
export const imageTypes = 'image/jpeg,image/png,image/webp,image/gif';

/** Why a file cannot be sent, before anything of it is; null when nothing speaks against it. */
export function imageProblem(file: Blob): ParseKeys | null {
  // A file without an extension has no type, or the generic one. The server looks at its content.
  const untold = file.type === '' || file.type === 'application/octet-stream';
  if (!untold && !file.type.startsWith('image/')) return 'ui.image.notAnImage';
  if (file.size > IMAGE_MAX_BYTES) return 'ui.image.tooLarge';
  return null;
}
