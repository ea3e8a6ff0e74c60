// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { pseudo } from '../../build/pseudo-texts.ts';

describe('a pseudo text', () => {
  it('is two fifths longer, in brackets, and can still be read', () => {
    expect(pseudo('Withdrawals')).toBe('⟦Wííţhdŕááwááļššš⟧');
    expect(pseudo('Show the plan').length).toBeGreaterThanOrEqual(18);
  });

  it('keeps what is filled in', () => {
    expect(pseudo('{{count}} days left')).toMatch(/^⟦{{count}} d\S+ ļ\S+⟧$/);
  });
});
