// @vitest-environment node
import { describe, expect, it } from 'vitest';
import {
  addressOf,
  type Preset,
  type ReportChoice,
  rangeOfDays,
  rangeProblem,
  reportChoiceOf,
} from './report-choice';

const of = (address: string) => reportChoiceOf(new URLSearchParams(address));
const usual: ReportChoice = { days: 'last7', by: 'day', measure: 'profit', sorting: null };

describe('the choice in the address', () => {
  it.each<[string, Partial<ReportChoice>]>([
    ['', {}],
    ['days=lastWeek&by=placement', { days: 'lastWeek', by: 'placement' }],
    ['from=2026-01-01&to=2026-01-31', { days: { from: '2026-01-01', to: '2026-01-31' } }],
    [
      'measure=clicks&sort=before&order=asc',
      {
        measure: 'clicks',
        sorting: { column: 'before', order: 'asc' },
      },
    ],
  ])('%s', (address, part) => {
    expect(of(address)).toEqual({ ...usual, ...part });
    expect(new URLSearchParams(addressOf({ ...usual, ...part })).toString()).toBe(address);
  });

  it.each([
    'days=ever&by=moon&measure=luck&sort=colour&order=asc',
    'from=2026-01-31&to=2026-01-01',
    'from=2026-02-30&to=2026-03-01',
    'from=2026-01-01',
    'from=2026-01-01&to=2027-01-02',
  ])('%s is as if it were not there', (address) => {
    expect(of(address)).toEqual(usual);
  });
});

describe('days', () => {
  // A Wednesday, early in the night.
  const now = new Date(2026, 2, 4, 0, 30);

  it.each<[Preset, string, string]>([
    ['today', '2026-03-04', '2026-03-04'],
    ['yesterday', '2026-03-03', '2026-03-03'],
    ['last7', '2026-02-26', '2026-03-04'],
    ['thisWeek', '2026-03-02', '2026-03-04'],
    ['lastWeek', '2026-02-23', '2026-03-01'],
    ['thisMonth', '2026-03-01', '2026-03-04'],
    ['lastMonth', '2026-02-01', '2026-02-28'],
  ])('%s are from %s to %s', (preset, from, to) => {
    expect(rangeOfDays(preset, now)).toEqual({ from, to });
  });

  it('that begin on a Sunday are of the week before', () => {
    const sunday = new Date(2026, 2, 1, 12);
    expect(rangeOfDays('thisWeek', sunday)).toEqual({ from: '2026-02-23', to: '2026-03-01' });
  });

  it.each([
    ['2026-01-01', '2027-01-01', null],
    ['2026-01-01', '2027-01-02', 'tooMany'],
    ['2026-01-02', '2026-01-01', 'backwards'],
    ['', '2026-01-01', 'missing'],
  ])('from %s to %s: %s', (from, to, problem) => {
    expect(rangeProblem(from, to)).toBe(problem);
  });
});
