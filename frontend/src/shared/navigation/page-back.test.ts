// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { customBack, takeOverBack } from './page-back';

describe("a page's own way back", () => {
  it('is given up only by who set it', () => {
    const first = takeOverBack(() => {});
    const mine = () => {};
    const second = takeOverBack(mine);
    first();
    expect(customBack()).toBe(mine);
    second();
    expect(customBack()).toBeNull();
  });
});
