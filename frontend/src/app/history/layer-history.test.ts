import { expect, it, vi } from 'vitest';

// jsdom calls listeners of the capturing phase first, as Chromium does not: the order is what counts.
it('hears of each step in the history before a router that is made can', async () => {
  const add = vi.spyOn(window, 'addEventListener');
  const heard = () => add.mock.calls.filter(([type]) => type === 'popstate').length;
  vi.resetModules();
  const { createAppRouter } = await import('../router');
  expect(heard()).toBe(1);
  const router = createAppRouter();
  expect(heard()).toBe(2);
  router.dispose();
});
