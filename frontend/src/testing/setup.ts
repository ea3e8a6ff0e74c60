import { afterEach, vi } from 'vitest';

/**
 * A file that says `@vitest-environment node` needs no page. Making one takes two seconds of a processor, four times as
 * long as all else of such a file.
 */
if (typeof document === 'undefined') {
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  });
} else {
  await import('./page');
}
