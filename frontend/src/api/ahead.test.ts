import { afterEach, describe, expect, it, vi } from 'vitest';
import { askAhead, takeAhead } from './ahead';

describe('what is asked ahead', () => {
  afterEach(() => vi.useRealTimers());

  it('is answered once', async () => {
    askAhead('figures', Promise.resolve(7));
    expect(await takeAhead('figures')).toBe(7);
    expect(takeAhead('figures')).toBeUndefined();
  });

  it('waits for a slow answer, and forgets one that nobody took', async () => {
    vi.useFakeTimers();
    let answer = (_: number) => {};
    askAhead('figures', new Promise<number>((resolve) => (answer = resolve)));
    await vi.advanceTimersByTimeAsync(30_000);
    answer(7);
    await vi.advanceTimersByTimeAsync(9_900);
    const found = takeAhead('figures');
    expect(await found).toBe(7);

    askAhead('figures', Promise.resolve(8));
    await vi.advanceTimersByTimeAsync(10_100);
    expect(takeAhead('figures')).toBeUndefined();
  });

  it('leaves a later answer where it forgets an earlier one', async () => {
    vi.useFakeTimers();
    askAhead('figures', Promise.resolve(7));
    await vi.advanceTimersByTimeAsync(6_000);
    askAhead('figures', Promise.resolve(8));
    await vi.advanceTimersByTimeAsync(6_000);
    expect(await takeAhead('figures')).toBe(8);
  });

  it('fails where it is taken, and nowhere else', async () => {
    askAhead('figures', Promise.reject(new Error('lost')));
    await new Promise((resolve) => setTimeout(resolve));
    await expect(takeAhead('figures')).rejects.toThrow('lost');
  });
});
