import { useSyncExternalStore } from 'react';

const pastPicture = 64;

function subscribe(listener: () => void) {
  window.addEventListener('scroll', listener, { passive: true });
  return () => window.removeEventListener('scroll', listener);
}

/**
 * White icons need the page's picture behind them; once it is scrolled away, the bar becomes solid.
 */
export function useScrolled(): boolean {
  return useSyncExternalStore(subscribe, () => window.scrollY > pastPicture);
}
