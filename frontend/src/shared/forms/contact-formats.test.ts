import { describe, expect, it } from 'vitest';
import { phoneProblem } from './contact-formats';

/**
 * The same numbers as in the server's test (crates/usecases/src/fields.rs), since the rule is the
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
  ])('may be %j', (text) => expect(phoneProblem(text)).toBeNull());

  it.each([
    '1234',
    '+',
    '12345678901234567',
    '0800-CALL',
    '+49+170123456',
    '１３８００１３８０００',
    '030/123456',
    '030.123456',
    '1 2 3 4 5 ((((((((((((((((((((',
  ])('may not be %j', (text) => expect(phoneProblem(text)).toBe('fields.invalid_phone'));

  it('has to be there', () => expect(phoneProblem('  ')).toBe('fields.required'));
});
