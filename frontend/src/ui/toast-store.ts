import { createStore } from '@/external-store';

export type Toast = { id: number; text: string; kind: 'success' | 'failure' | 'info' };

const toast = createStore<Toast | null>(null);
let last = 0;

/** One message at a time: a newer one replaces the older. */
export function showToast(text: string, kind: Toast['kind'] = 'info') {
  last += 1;
  toast.set({ id: last, text, kind });
}

export function hideToast(id: number) {
  if (toast.get()?.id === id) toast.set(null);
}

export const useToast = toast.use;
