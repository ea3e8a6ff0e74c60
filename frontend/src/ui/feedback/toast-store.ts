import { createStore } from '@/external-store';
import { TOAST_MS } from '@/ui/constants';

export type ToastKind = 'success' | 'failure' | 'plain';
export type ToastMessage = { id: number; text: string; kind: ToastKind };

const shown = createStore<ToastMessage | null>(null);
let next = 1;
let timer: ReturnType<typeof setTimeout> | undefined;

export const currentToast = shown.get;
export const useToast = shown.use;

/**
 * Says something for a moment, from anywhere, as long as it takes to read. What must not be missed
 * belongs on the page. What is being said already is not said again.
 */
export function showToast(text: string, kind: ToastKind = 'plain', duration = TOAST_MS) {
  clearTimeout(timer);
  const before = shown.get();
  if (before?.text !== text || before.kind !== kind) shown.set({ id: next++, text, kind });
  timer = setTimeout(() => shown.set(null), Math.max(duration, readingTime(text)));
}

/** In milliseconds: a moment to notice it, then what a slow reader needs for each sign. */
const noticing = 600;
const perLetter = 65;
const perIdeograph = 170;

function readingTime(text: string): number {
  const ideographs = text.match(/[\p{Script=Han}\p{Script=Hangul}]/gu)?.length ?? 0;
  return noticing + ideographs * perIdeograph + (text.length - ideographs) * perLetter;
}
