// @vitest-environment node
import { describe, expect, it, vi } from 'vitest';
import { timeZoneHeader } from './time-zone';

describe('timeZoneHeader', () => {
  it.each([
    [-480, 'GMT+08:00'],
    [210, 'GMT-03:30'],
    [0, 'GMT+00:00'],
  ])('writes an offset of %i minutes as %s', (minutes, expected) => {
    const now = new Date();
    vi.spyOn(now, 'getTimezoneOffset').mockReturnValue(minutes);
    expect(timeZoneHeader(now)).toBe(
      `${Intl.DateTimeFormat().resolvedOptions().timeZone} ${expected}`,
    );
  });
});
