// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { checkExchange, mostOf, received } from './exchange-check';

const terms = {
  available: '500.00',
  limit: '300.00',
  leftToday: '200.00',
  rate: '0.9215',
  decimals: 2,
};

describe('an exchange', () => {
  it.each([
    ['', 'required'],
    ['0.00', 'zero'],
    ['300.01', 'limit'],
    ['200.01', 'day'],
    ['200.00', null],
    ['0.01', 'small'],
  ])('of %j is found %j', (amount, problem) => {
    expect(checkExchange(amount, terms)).toBe(problem);
  });

  it('is limited by the least of what limits it', () => {
    expect(mostOf(terms)).toBe('200.00');
    expect(mostOf({ ...terms, leftToday: null })).toBe('300.00');
    expect(mostOf({ ...terms, available: '99.00' })).toBe('99.00');
    expect(checkExchange('250.00', { ...terms, leftToday: null })).toBeNull();
    expect(checkExchange('100.00', { ...terms, available: '99.99' })).toBe('balance');
  });

  it('never brings more than the rate gives', () => {
    expect(received('100', terms)).toBe('92.15');
    expect(received('0.03', terms)).toBe('0.02');
    expect(received('10.01', { rate: '157.35', decimals: 0 })).toBe('1575');
    expect(received('', terms)).toBe('0.00');
  });
});
