import { describe, expect, it } from 'vitest';
import { emailProblem, phoneProblem } from './contact-formats';

/**
 * The same numbers as in the server's test (crates/foundation/src/contact_fields.rs), since the rule is the
 * same.
 */
describe('a phone number', () => {
  it.each([
    '+49 170 1234567',
    '13800138000',
    '(030) 123-456',
    '12345',
    '+(49) 30-901820',
    ' 12345 ',
    'tel:+49-151-12345678',
    'Tel: +49 151 12345678',
    '+1 (415) 555-2671',
    '+29022222',
    '＋４９１５１１２３４５６７８',
    '\u202a+4915112345678\u202c',
    '+49\u00a0151\u202f12345678',
    '030\u2011123456',
    '٠١٠١٢٣٤٥',
    '၀၉ ၁၂၃ ၄၅၆',
    '（０３）１２３－４５６',
    '０３．１２３／４５６',
    '＋８１ー９０ー１２３４ー５６７８',
    '03ｰ1234ｰ5678',
    '+49\t15112345678',
    '01.23.45.67.89',
    '+1.415.555.2671',
    '030/123456',
    '0151 / 123 456 78',
    '(+49) 151 12345678',
  ])('may be %j', (text) => expect(phoneProblem(text)).toBeNull());

  it.each([
    '1234',
    '+',
    '12345678901234567',
    '0800-CALL',
    '+49+170123456',
    '+0 123456789',
    '(+0) 123456789',
    './12',
    '1 2 3 4 5 ((((((((((((((((((((',
  ])('may not be %j', (text) => expect(phoneProblem(text)).toBe('fields.invalid_phone'));

  it('has to be there', () => expect(phoneProblem('  ')).toBe('fields.required'));
});

describe('an e-mail address', () => {
  it.each([
    'a@b.co',
    ' a@b.co\n',
    '\u00a0a@b.co',
    '\u202aa@b.co\u202c',
    '\ufeffa@b.co\u200b',
    'a\u200b@b.co',
    'a@b\u200b.co',
    'ａ＠ｂ．ｃｏ',
    'a@b。co',
    'a@ｂ.co\u3000',
    'li@例子.中国',
    "o'neil@münchen.de",
  ])('may be %j', (text) => expect(emailProblem(text)).toBeNull());

  it.each(['①@b.co', 'a@b', 'a b@c.de', 'mailto:a@b.co', 'a@例子', 'a@例子.中国/b'])(
    'may not be %j',
    (text) => expect(emailProblem(text)).toBe('fields.invalid_email'),
  );
});
