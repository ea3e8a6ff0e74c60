import { TOAST_MS } from '@/ui/constants';

export type ToastKind = 'success' | 'failure' | 'plain';
export type ToastMessage = { id: number; text: string; kind: ToastKind };

let shown: ToastMessage | null = null;
let next = 1;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

function change(message: ToastMessage | null) {
  shown = message;
  for (const listener of listeners) listener();
}

export function currentToast(): ToastMessage | null {
  return shown;
}

export function onToast(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/**
 * Says something for a moment, from anywhere, as long as it takes to read. What must not be missed
 * belongs on the page. What is being said already is not said again.
 */
export function showToast(text: string, kind: ToastKind = 'plain', duration = TOAST_MS) {
  clearTimeout(timer);
  if (shown?.text !== text || shown.kind !== kind) change({ id: next++, text, kind });
  timer = setTimeout(() => change(null), Math.max(duration, readingTime(text)));
}

/** In milliseconds: a moment to notice it, then what a slow reader needs for each sign. */
const noticing = 600;
const perLetter = 65;
const perIdeograph = 170;

function readingTime(text: string): number {
  const ideographs = text.match(/[\p{Script=Han}\p{Script=Hangul}]/gu)?.length ?? 0;
  return noticing + ideographs * perIdeograph + (text.length - ideographs) * perLetter;
}
