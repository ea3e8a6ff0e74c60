// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { aPlan } from '@/testing/money-data';
import { paceOf } from './pace';

const at = (moment: string) => paceOf(aPlan, Date.parse(moment));

describe('the pace of a plan', () => {
  it('counts its days from the first slot on', () => {
    expect(at('2026-11-12T09:00:00Z')).toEqual({ day: 1, days: 14, time: 0 });
    expect(at('2026-11-19T09:00:00Z')).toEqual({ day: 8, days: 14, time: 50 });
    expect(at('2026-12-24T09:00:00Z')).toEqual({ day: 14, days: 14, time: 100 });
    // The device's clock is behind.
    expect(at('2026-11-11T09:00:00Z')).toEqual({ day: 1, days: 14, time: 0 });
  });

  it('is none before and after', () => {
    const now = Date.parse('2026-11-19T09:00:00Z');
    expect(paceOf({ ...aPlan, started_at: null, status: 'matching' }, now)).toBeNull();
    expect(paceOf({ ...aPlan, status: 'settled' }, now)).toBeNull();
  });
});
