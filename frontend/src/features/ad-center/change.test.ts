// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { changeOf } from './change';

describe('a figure held against the one before', () => {
  it('says how much more or less it is', () => {
    expect(changeOf('112.00', '100.00')).toBe('+12%');
    expect(changeOf(50, 100)).toBe('-50%');
    expect(changeOf(100, 100)).toBe('0%');
    expect(changeOf(0, 3)).toBe('-100%');
    expect(changeOf(13, 1)).toBe('+1,200%');
  });

  it('says nothing where there was nothing', () => {
    expect(changeOf('5.00', '0.00')).toBeNull();
    expect(changeOf(5, undefined)).toBeNull();
  });
});
