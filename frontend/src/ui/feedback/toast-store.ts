import { createStore } from '@/external-store';
import { TOAST_MS } from '@/ui/constants';

export type ToastKind = 'success' | 'failure' | 'plain';
/** An action that belongs to a toast, such as undoing what it reports. */
export type ToastAction = { label: string; run: () => void };
export type ToastMessage = { id: number; text: string; kind: ToastKind; action?: ToastAction };

const shown = createStore<ToastMessage | null>(null);
let next = 1;
let timer: ReturnType<typeof setTimeout> | undefined;

export const currentToast = shown.get;
export const useToast = shown.use;
export const hideToast = () => shown.set(null);

/**
 * Says something for a moment, from anywhere, as long as it takes to read. What must not be missed
 * belongs on the page. What is being said already is not said again.
 */
export function showToast(text: string, kind: ToastKind = 'plain', duration = TOAST_MS) {
  say({ text, kind }, duration);
}

export function say(message: Omit<ToastMessage, 'id'>, duration: number) {
  clearTimeout(timer);
  const { text, kind, action } = message;
  const before = shown.get();
  const said = before?.text === text && before.kind === kind && before.action === action;
  if (!said) shown.set({ ...message, id: next++ });
  timer = setTimeout(hideToast, Math.max(duration, readingTime(text)));
}

/**
 * In milliseconds: the time to notice a toast, and then the time that a slow reader needs for each
 * character.
 */
const noticing = 600;
const perLetter = 65;
const perIdeograph = 170;

function readingTime(text: string): number {
  const ideographs = text.match(/[\p{Script=Han}\p{Script=Hangul}]/gu)?.length ?? 0;
  return noticing + ideographs * perIdeograph + (text.length - ideographs) * perLetter;
}
