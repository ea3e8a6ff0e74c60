import { act } from '@testing-library/react';
import { vi } from 'vitest';

const listeners = new Set<() => void>();
let wide = false;

/** jsdom has no media queries: makes the screen a desktop's, or a phone's, until the test ends. */
export function wideScreen(on: boolean) {
  wide = on;
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: wide && /min-width: (1024|1200)px/.test(query),
    addEventListener: (_: string, listener: () => void) => listeners.add(listener),
    removeEventListener: (_: string, listener: () => void) => listeners.delete(listener),
  }));
  act(() => {
    for (const listener of listeners) listener();
  });
}
