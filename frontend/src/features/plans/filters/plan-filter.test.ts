// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { addressOf, askedOf, countSet, everyPlan, isNarrowed, planFilterOf } from './plan-filter';

const read = (address: string) => planFilterOf(new URLSearchParams(address));
const noon = new Date(2026, 10, 21, 12);
const asked = (address: string) => {
  const given = Object.entries(askedOf(read(address), noon)).filter(([, value]) => value !== null);
  return Object.fromEntries(given);
};

describe('the filter in the address', () => {
  it.each([
    '',
    'status=putting&search=aurora&product=7&site=news.example&put=30&sort=roi&order=asc',
    'from=2026-11-01&to=2026-11-01',
    'from=2026-11-01',
    'to=2026-11-20&order=asc',
  ])('“%s” is read as it is written', (address) => {
    expect(new URLSearchParams(addressOf(read(address))).toString()).toBe(address);
  });

  it.each([
    'status=lost',
    'sort=newest&order=desc',
    'sort=luck',
    'order=sideways',
    'product=aurora',
    'put=8',
    'from=2026-02-30',
    'to=yesterday',
    'from=1026-11-01',
    'from=2026-11-02&to=2026-11-01',
    `search=${'x'.repeat(101)}`,
    'search=%20%20',
  ])('“%s” filters nothing', (address) => {
    expect(read(address)).toEqual(everyPlan);
  });

  it('prefers a span to days', () => {
    expect(read('put=7&from=2026-11-01').put).toEqual({ within: '7', from: null, to: null });
  });
});

describe('what the server is asked for', () => {
  it('is nothing beside the plans where nothing is filtered', () => {
    expect(asked('')).toEqual({});
  });

  it('has the days of a span, of which today is the last', () => {
    expect(asked('put=7')).toEqual({ from: '2026-11-15' });
    expect(asked('put=30')).toEqual({ from: '2026-10-23' });
  });

  it('has what the address says', () => {
    const address = 'status=putting&search=P7&product=7&from=2026-11-01&to=2026-11-09&sort=roi';
    expect(asked(address)).toEqual({
      status: 'putting',
      search: 'P7',
      product_id: '7',
      from: '2026-11-01',
      to: '2026-11-09',
      sort: 'roi',
    });
  });
});

it('counts what is set out of sight, and the order as one', () => {
  expect(countSet(read('status=putting&search=x'))).toBe(0);
  expect(countSet(read('order=asc'))).toBe(1);
  expect(countSet(read('product=7&put=7&sort=roi&order=asc'))).toBe(3);
});

it('is narrowed by what leaves plans out, but the status', () => {
  expect(['search=x', 'product=7', 'to=2026-11-09'].map((one) => isNarrowed(read(one)))).toEqual([
    true,
    true,
    true,
  ]);
  expect(isNarrowed(read('status=putting&sort=roi'))).toBe(false);
});
