// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { checkPut, quickAmounts, unitsFor } from './put-check';

const limits = { min_put: '50.00', max_put: '5000.00' };

describe('checkPut', () => {
  it.each([
    ['', 'required'],
    ['0', 'range'],
    ['49.99', 'range'],
    ['50', null],
    ['5000.00', null],
    ['5000.01', 'range'],
    ['101', 'balance'],
  ])('%j is %s', (amount, problem) => {
    expect(checkPut(amount, limits, { affordable: problem !== 'balance' })).toBe(problem);
  });

  it('waits for the price before it speaks of the balance', () => {
    expect(checkPut('5000', limits, null)).toBeNull();
  });
});

describe('quickAmounts', () => {
  it('stays within the limits', () => {
    expect(quickAmounts('50.00', '5000.00')).toEqual(['50', '100', '250', '500']);
    expect(quickAmounts('50.00', '120.00')).toEqual(['50', '100']);
    expect(quickAmounts('0.55', '2.00')).toEqual(['0.55', '1.10']);
  });
});

describe('unitsFor', () => {
  it('rounds down, since a part of an impression cannot be bought', () => {
    expect(unitsFor('100', { pricing: 'cpm', price: '2.40', days: 7 })).toBe(41666);
    expect(unitsFor('1', { pricing: 'cpc', price: '0.35', days: 7 })).toBe(2);
    expect(unitsFor('', { pricing: 'cpc', price: '0.35', days: 7 })).toBe(0);
  });
});
