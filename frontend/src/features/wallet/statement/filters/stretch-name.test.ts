import { describe, expect, it } from 'vitest';
import { stretchName } from './stretch-name';

const at = (day: number, hour = 0, minute = 0) =>
  new Date(2026, 10, day, hour, minute).toISOString();
// Intl uses some narrow no-break spaces.
const name = (from: string, until: string) =>
  stretchName({ from, until }).replace(/[\u202f\u2009]/g, ' ');

describe('the name of a stretch', () => {
  it('is a date for a day, and two for several', () => {
    expect(name(at(12), at(13))).toBe('Nov 12, 2026');
    expect(name(at(6), at(13))).toBe('Nov 6, 2026 – Nov 12, 2026');
  });

  it('has the times where it is no whole day, up to midnight too', () => {
    expect(name(at(12, 14), at(12, 15))).toMatch(
      /^Nov 12, 2026, (2|14):00( PM)? – (3|15):00( PM)?$/,
    );
    expect(name(at(12, 23), at(13))).toMatch(/^Nov 12, 2026, .* – (12|00):00( AM)?$/);
    expect(name(at(12, 23), at(13, 1))).toMatch(/^Nov 12, 2026, .* – Nov 13, 2026, /);
  });
});
