import { createStore } from '@/external-store';
import { TOAST_MS } from '@/ui/constants';

export type ToastKind = 'success' | 'failure' | 'plain';
/** What can be done about what is said, such as taking it back. */
export type ToastAction = { label: string; run: () => void };
export type ToastMessage = { id: number; text: string; kind: ToastKind; action?: ToastAction };

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
  const before = shown.get();
  const said = before?.text === text && before.kind === kind && !before.action;
  say(said ? before : { id: next++, text, kind }, duration);
}

/** The same with a button, and long enough to reach it. The button must not be the only way. */
export function showToastWithAction(text: string, { label, run }: ToastAction) {
  const act = () => {
    shown.set(null);
    run();
  };
  say({ id: next++, text, kind: 'success', action: { label, run: act } }, reachingMs);
}

function say(message: ToastMessage, duration: number) {
  clearTimeout(timer);
  shown.set(message);
  timer = setTimeout(() => shown.set(null), Math.max(duration, readingTime(message.text)));
}

const reachingMs = 7000;
/** In milliseconds: a moment to notice it, then what a slow reader needs for each sign. */
const noticing = 600;
const perLetter = 65;
const perIdeograph = 170;

function readingTime(text: string): number {
  const ideographs = text.match(/[\p{Script=Han}\p{Script=Hangul}]/gu)?.length ?? 0;
  return noticing + ideographs * perIdeograph + (text.length - ideographs) * perLetter;
}
