import { useSyncExternalStore } from 'react';

/** From here on there is room at the side; the style sheets name the same width. */
const query = '(min-width: 1024px)';

function subscribe(listener: () => void) {
  const list = window.matchMedia?.(query);
  list?.addEventListener('change', listener);
  return () => list?.removeEventListener('change', listener);
}

export function isWide(): boolean {
  return window.matchMedia?.(query).matches ?? false;
}

/** Whether the screen is a desktop's: navigation at the side, tables, two columns, keys. */
export function useWide(): boolean {
  return useSyncExternalStore(subscribe, isWide);
}
