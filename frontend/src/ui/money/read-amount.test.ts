// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { type Marks, readAmount } from './read-amount';

const english = { group: ',', decimal: '.' };
const german = { group: '.', decimal: ',' };
const french = { group: '\u202f', decimal: ',' };
const names = ['USD', '$', 'US$'];

const read = (text: string, marks: Marks = english, decimals = 2) =>
  readAmount(text, { decimals, marks, names });
const amount = (value: string) => ({ amount: value, problem: null });
const refused = (problem: string) => ({ amount: '', problem });

describe('an amount', () => {
  it.each([
    ['', ''],
    ['.', ''],
    ['12', '12'],
    ['12.', '12'],
    ['12.5', '12.5'],
    ['.5', '0.5'],
    [',5', '0.5'],
    ['007', '7'],
    ['0.00', '0.00'],
    ['0.500', '0.50'],
    ['12.3400', '12.34'],
    ['+7', '7'],
    ['$1,234.50', '1234.50'],
    ['US$ 1,234.50', '1234.50'],
    ['1234.50 usd', '1234.50'],
    ['$1,234.50 USD', '1234.50'],
    ['USD $1234.50', '1234.50'],
    ['1,234,567', '1234567'],
    ['1.234.567', '1234567'],
    ['1.234.567,89', '1234567.89'],
    ["1'234.50", '1234.50'],
    ['1’234,50', '1234.50'],
    ['1´234.50', '1234.50'],
    ['1 234,50', '1234.50'],
    ['1\u202f234,50', '1234.50'],
    ['1\u00a0000', '1000'],
    ['１，２３４．５０', '1234.50'],
    ['๑๒๓.๔๕', '123.45'],
    ['١٢٣', '123'],
    ['១២៣.៤៥', '123.45'],
    ['12。50', '12.50'],
    ['١٬٢٣٤٫٥٠', '1234.50'],
    ['50,-', '50.00'],
    ['50.—', '50.00'],
    ['1.234,– USD', '1234.00'],
    ['\u200e12.50\u2069', '12.50'],
    ['1234567890123456789.01', '1234567890123456789.01'],
  ])('%j is read as %j in any language', (text, value) => {
    for (const marks of [english, german, french]) {
      // Where the comma is decimal, a point with more zeros than the currency has is a slip.
      if (marks !== english && /\.\d{3,}$/.test(text)) continue;
      expect(read(text, marks)).toEqual(amount(value));
    }
  });

  it.each<[string, Marks, string | null]>([
    ['1,000', english, '1000'],
    ['1.000', english, null],
    ['1.000', german, '1000'],
    ['1,000', german, null],
    ['1.000,50', german, '1000.50'],
    ['1.000,50', english, '1000.50'],
    ['1 000', french, '1000'],
    ['1,000', french, null],
    ['1.000', french, null],
    ['1.234', english, null],
    ['1,0000', english, null],
    ['1.0000', german, null],
    ['12,50', english, '12.50'],
    ['12.50', german, '12.50'],
    ['12.50', french, '12.50'],
    ['1,00,000', english, null],
    ['1,000.000', english, null],
    ['1,000,00', english, null],
    ['1.00.50', english, null],
    ['01,000', english, null],
    ['1 00', french, null],
    ['١٫٢٣٤', german, null],
    ['١٫٢٣٤', english, null],
    ['١٫٥', german, '1.5'],
  ])('%j depends on who writes it: %j reads %j', (text, marks, value) => {
    const read2 = read(text, marks);
    if (value) expect(read2).toEqual(amount(value));
    else {
      expect(read2.amount).toBe('');
      expect(['unclear', 'decimals']).toContain(read2.problem);
    }
  });

  it.each([
    ['-5', 'negative'],
    ['−5', 'negative'],
    ['–5', 'negative'],
    ['— 5', 'negative'],
    ['-$5', 'negative'],
    ['$-5', 'negative'],
    ['5-', 'negative'],
    ['-5,-', 'negative'],
    [',-', 'negative'],
    ['1e3', 'unreadable'],
    ['0x10', 'unreadable'],
    ['€5', 'unreadable'],
    ['(5)', 'unreadable'],
    ['1/2', 'unreadable'],
    ['一千', 'unreadable'],
    // Small figures for cents would make it a hundred times as much.
    ['12⁵⁰', 'unreadable'],
    ['5²', 'unreadable'],
    ['H₂5', 'unreadable'],
    ['②', 'unreadable'],
    ['1½', 'unreadable'],
    ['NaN', 'unreadable'],
    ['1.2345', 'decimals'],
    ['12.345', 'unclear'],
    ['1234.567', 'decimals'],
  ])('%j is refused: %s', (text, problem) => {
    expect(read(text)).toEqual(refused(problem));
  });

  it('has as many decimals as its currency', () => {
    expect(read('1000', english, 0)).toEqual(amount('1000'));
    expect(read('1,000', english, 0)).toEqual(amount('1000'));
    expect(read('12.00', english, 0)).toEqual(amount('12'));
    expect(read('15.7', english, 0)).toEqual(refused('decimals'));
    expect(read('1.500', english, 0)).toEqual(refused('unclear'));
    expect(read('1.500', english, 3)).toEqual(amount('1.500'));
    expect(read('1,500', english, 3)).toEqual(amount('1500'));
    expect(read('1,500', german, 3)).toEqual(amount('1.500'));
  });

  it('is never another one than a reader of the language would write', () => {
    for (const marks of [english, german, french]) {
      for (let minor = 0; minor < 2_000_000; minor += 7919) {
        const whole = String(Math.floor(minor / 100));
        const cents = String(minor % 100).padStart(2, '0');
        const groups = whole.replace(/\B(?=(\d{3})+$)/g, marks.group);
        expect(read(`${groups}${marks.decimal}${cents}`, marks)).toEqual(
          amount(`${whole}.${cents}`),
        );
        expect(read(groups, marks)).toEqual(amount(whole));
      }
    }
  });
});
