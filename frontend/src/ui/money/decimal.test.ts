// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { cacheConfig } from '@/api/queries/cached-config';
import { aConfig } from '@/testing/data';
import {
  addDecimals,
  compareDecimals,
  exactShareOf,
  fromMinor,
  isPositive,
  shareOf,
  subtractDecimals,
  toMinor,
} from './decimal';

describe('decimals', () => {
  it.each([
    ['12.3', 1230n],
    ['.5', 50n],
    ['7.', 700n],
    ['-0.01', -1n],
    ['1000000000000.00', 100000000000000n],
    ['1.230', 123n],
  ])('reads %s', (text, minor) => {
    expect(toMinor(text, 2)).toBe(minor);
  });

  it.each(['', '.', '-', '1.234', '1e3', '1,5', 'NaN', '0x10'])('refuses %j', (text) => {
    expect(toMinor(text, 2)).toBeNull();
  });

  it.each([
    [1230n, 2, '12.30'],
    [5n, 2, '0.05'],
    [-5n, 2, '-0.05'],
    [0n, 2, '0.00'],
    [17n, 0, '17'],
  ])('writes %s with %s decimals', (minor, decimals, text) => {
    expect(fromMinor(minor, decimals)).toBe(text);
  });

  it('subtracts where floats fail', () => {
    expect(subtractDecimals('9007199254740993.02', '0.01')).toBe('9007199254740993.01');
    expect(subtractDecimals('0.3', '0.1')).toBe('0.2');
    expect(subtractDecimals('1.00', '2.50')).toBe('-1.50');
  });

  it('adds where floats fail', () => {
    expect(addDecimals('9007199254740993.01', '0.01')).toBe('9007199254740993.02');
    expect(addDecimals('0.1', '0.2')).toBe('0.3');
    expect(addDecimals('5', '0.20')).toBe('5.20');
  });

  it('compares by value', () => {
    expect(compareDecimals('10', '9.99')).toBeGreaterThan(0);
    expect(compareDecimals('1.0', '1.00')).toBe(0);
    expect(compareDecimals('-1', '0')).toBeLessThan(0);
    expect(isPositive('0.01')).toBe(true);
    expect(isPositive('0.00')).toBe(false);
  });

  it('takes a share, rounded half up to the minor unit', () => {
    expect(shareOf('100.00', '0.01', 2)).toBe('1.00');
    expect(exactShareOf('3.10', '0.05')).toBe('0.155');
    expect(exactShareOf('100.00', '0.01')).toBe('1.00');
    expect(exactShareOf('0', '0.05')).toBe('0.00');
    expect(shareOf('9.50', '0.05', 2)).toBe('0.47');
    expect(shareOf('0.99', '0.01', 2)).toBe('0.00');
    expect(shareOf('12345678901.23', '0.055', 2)).toBe('679012339.56');
    cacheConfig({ ...aConfig, currency: { code: 'JPY', decimals: 0, symbol: '¥' } });
    expect(exactShareOf('10', '0.05')).toBe('0.5');
    expect(exactShareOf('20', '0.05')).toBe('1');
    expect(shareOf('19', '0.1')).toBe('1');
  });
});
