// @vitest-environment node
import { describe, expect, it, vi } from 'vitest';
import { newId } from './new-id';

const real = crypto;
const withoutHttps = {
  getRandomValues: (bytes: Uint8Array<ArrayBuffer>) => real.getRandomValues(bytes),
};

describe('a new name', () => {
  it.each([
    ['', real],
    [' without https', withoutHttps],
  ])('is like no other%s', (_, given) => {
    vi.stubGlobal('crypto', given);
    const names = Array.from({ length: 100 }, newId);
    expect(new Set(names).size).toBe(100);
    for (const name of names) expect(name).toMatch(/^[\da-f-]{32,36}$/);
  });
});
