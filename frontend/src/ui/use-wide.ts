import { useSyncExternalStore } from 'react';

/**
 * From these widths on, there is room for the side bar, and for two columns. The style sheets have
 * the same widths.
 */
const wide = watched('(min-width: 1024px)');
const widest = watched('(min-width: 1200px)');

function watched(query: string) {
  const matches = () => window.matchMedia?.(query).matches ?? false;
  const subscribe = (listener: () => void) => {
    const list = window.matchMedia?.(query);
    list?.addEventListener('change', listener);
    return () => list?.removeEventListener('change', listener);
  };
  return { matches, subscribe };
}

export const isWide = wide.matches;

/** Whether the screen is a desktop's: navigation at the side, tables, two columns, keys. */
export function useWide(): boolean {
  return useSyncExternalStore(wide.subscribe, wide.matches);
}

/** Whether the ad center has two columns, which are to be as long as each other. */
export function useTwoColumns(): boolean {
  return useSyncExternalStore(widest.subscribe, widest.matches);
}
