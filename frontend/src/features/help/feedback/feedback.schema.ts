import type { ParseKeys } from 'i18next';
import type { Problems } from '@/shared/forms/use-form';
import { type ImageItem, isSending } from '@/ui/images/image-uploads';

type Values = { topic: string; content: string };

/** The server's limits. */
export const maxLength = { topic: 100, content: 2000 } as const;

export function checkFeedback(values: Values): Problems<keyof Values> {
  const errors: Problems<keyof Values> = {};
  for (const field of ['topic', 'content'] as const) {
    errors[field] = values[field].trim()
      ? tooLong(values[field], maxLength[field])
      : 'feedback.required';
  }
  return errors;
}

/** Said, and not cut: what was pasted is all there to be shortened. */
export function tooLong(text: string, most: number): ParseKeys | null {
  return [...text.trim()].length > most ? 'fields.too_long' : null;
}

/** Pictures that would be missing without notice. */
export function checkImages(items: readonly ImageItem[]): ParseKeys | null {
  if (items.some(isSending)) return 'feedback.imagesSending';
  if (items.some(({ problem }) => problem)) return 'feedback.imagesFailed';
  return null;
}
