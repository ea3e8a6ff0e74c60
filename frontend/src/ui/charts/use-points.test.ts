import { describe, expect, it } from 'vitest';
import { pointAfter } from './use-points';

describe('a key among the points of a chart', () => {
  it('leads to the next one and stops at the ends', () => {
    expect(pointAfter('across', 'ArrowRight', 1, 3)).toBe(2);
    expect(pointAfter('across', 'ArrowRight', 2, 3)).toBe(2);
    expect(pointAfter('across', 'ArrowLeft', 0, 3)).toBe(0);
    expect(pointAfter('down', 'ArrowDown', 0, 3)).toBe(1);
    expect(pointAfter('down', 'Home', 2, 3)).toBe(0);
    expect(pointAfter('across', 'End', 0, 3)).toBe(2);
  });

  it('leaves the page its own keys', () => {
    expect(pointAfter('across', 'ArrowDown', 1, 3)).toBeNull();
    expect(pointAfter('down', 'ArrowRight', 1, 3)).toBeNull();
    expect(pointAfter('down', 'Tab', 1, 3)).toBeNull();
  });
});
