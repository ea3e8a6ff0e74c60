import type { ParseKeys } from 'i18next';
import { IMAGE_MAX_BYTES } from '@/ui/constants';

/** What the server takes; a phone turns its own formats into one of them when it is asked to. */
export const imageTypes = 'image/jpeg,image/png,image/webp,image/gif';

/** Why a file cannot be sent, before anything of it is; null when nothing speaks against it. */
export function imageProblem(file: Blob): ParseKeys | null {
  // Without an extension a file has no type, or that of any bytes: the server looks at its content.
  const untold = file.type === '' || file.type === 'application/octet-stream';
  if (!untold && !file.type.startsWith('image/')) return 'ui.image.notAnImage';
  if (file.size > IMAGE_MAX_BYTES) return 'ui.image.tooLarge';
  return null;
}
