import { describe, expect, it } from 'vitest';
import { inGroups, isGrouped } from './groups';

describe('inGroups', () => {
  it('parts a number as banks print it', () => {
    expect(inGroups('DE02120300000000202051')).toBe('DE02 1203 0000 0000 2020 51');
    expect(inGroups('RF097')).toBe('RF09 7');
    expect(inGroups('RF09')).toBe('RF09');
  });

  it('is for IBANs alone, whose readers are used to it', () => {
    expect(isGrouped('DE02120300000000202051')).toBe(true);
    expect(isGrouped('20000055779911')).toBe(false);
    expect(isGrouped('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t')).toBe(false);
    expect(isGrouped('pay@north.example')).toBe(false);
  });
});
