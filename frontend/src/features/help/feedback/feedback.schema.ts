import type { ParseKeys } from 'i18next';
import type { Problems } from '@/shared/forms/use-form';
import { type ImageItem, isSending } from '@/ui/images/image-uploads';

export type Values = { topic: string; content: string };

/** The server's limits. */
export const maxLength = { topic: 100, content: 2000 } as const;

export function checkFeedback(values: Values): Problems<keyof Values> {
  const errors: Problems<keyof Values> = {};
  if (!values.topic.trim()) errors.topic = 'feedback.required';
  if (!values.content.trim()) errors.content = 'feedback.required';
  return errors;
}

/** Pictures that would be missing without notice. */
export function checkImages(items: readonly ImageItem[]): ParseKeys | null {
  if (items.some(isSending)) return 'feedback.imagesSending';
  if (items.some(({ problem }) => problem)) return 'feedback.imagesFailed';
  return null;
}
