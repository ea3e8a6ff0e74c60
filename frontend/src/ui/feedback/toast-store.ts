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

/** Says something for a moment, from anywhere. What must not be missed belongs on the page. */
export function showToast(text: string, kind: ToastKind = 'plain', duration = TOAST_MS) {
  clearTimeout(timer);
  change({ id: next++, text, kind });
  timer = setTimeout(() => change(null), duration);
}
