// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { groupByFour, looksLikeIban } from './groups';

describe('inGroups', () => {
  it('parts a number as banks print it', () => {
    expect(groupByFour('DE02120300000000202051')).toBe('DE02 1203 0000 0000 2020 51');
    expect(groupByFour('RF097')).toBe('RF09 7');
    expect(groupByFour('RF09')).toBe('RF09');
  });

  it('is for IBANs alone, whose readers are used to it', () => {
    expect(looksLikeIban('DE02120300000000202051')).toBe(true);
    expect(looksLikeIban('20000055779911')).toBe(false);
    expect(looksLikeIban('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t')).toBe(false);
    expect(looksLikeIban('pay@north.example')).toBe(false);
  });
});
