import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import examples from '../../../crates/i18n/tests/formats.json';
import {
  formatDate,
  formatDigits,
  formatMarks,
  formatMoney,
  formatMonth,
  formatPercent,
  formatReturn,
  formatSpan,
} from './format';
import { type AppLanguage, bcp47 } from './languages';
import { showLanguage } from './texts';

describe('formatMoney', () => {
  it('keeps every digit a float would lose', () => {
    expect(formatMoney('999999999999999.99')).toBe('$999,999,999,999,999.99');
    expect(formatMoney('0.10')).toBe('$0.10');
  });

  it('shows signs where money comes and goes', () => {
    expect(formatMoney('5.00', { sign: true })).toBe('+$5.00');
    expect(formatMoney('-5.00', { sign: true })).toBe('-$5.00');
    expect(formatMoney('0.00', { sign: true })).toBe('$0.00');
  });

  it('takes tokens without an ISO code', () => {
    expect(formatMoney('12.5', { currency: { code: 'USDT', decimals: 6, symbol: '₮' } })).toBe(
      '12.500000\u00a0USDT',
    );
  });
});

describe('the marks of a scale', () => {
  it.each([
    [[0, 2, 4], 'money', ['$0', '$2', '$4']],
    [[0, 0.5, 1, 1.5, 2], 'money', ['$0.00', '$0.50', '$1.00', '$1.50', '$2.00']],
    [[0, 0.005, 0.01], 'money', ['$0.000', '$0.005', '$0.010']],
    [[-2, 0, 2], 'money', ['-$2', '$0', '$2']],
    [[-2.5, 0, 2.5], 'money', ['-$2.50', '$0.00', '$2.50']],
    [[0, 500, 1000, 1500], 'money', ['$0', '$500', '$1.0K', '$1.5K']],
    [[0, 20_000, 40_000], 'money', ['$0', '$20K', '$40K']],
    [[0, 0.5, 1], 'count', ['0.0', '0.5', '1.0']],
    [[0, 500, 1000], 'count', ['0', '500', '1K']],
    [[-1, -0.5, 0], 'percent', ['-100%', '-50%', '0%']],
    [[0, 0.005, 0.01], 'percent', ['0.0%', '0.5%', '1.0%']],
  ] as const)('of %j as %s are as short as they can be alike', (marks, kind, texts) => {
    expect(formatMarks(marks, kind)).toEqual(texts);
  });

  it('have their sign where the language puts it', async () => {
    await showLanguage('de');
    expect(formatMarks([-2, 0, 2], 'money')).toEqual(['-2\u00a0$', '0\u00a0$', '2\u00a0$']);
  });
});

describe('dates and rates', () => {
  it('follow the language, in the Gregorian calendar', async () => {
    expect(formatMonth('2026-11')).toBe('November 2026');
    await showLanguage('zh');
    expect(formatMonth('2026-11')).toBe('2026年11月');
    await showLanguage('fr');
    expect(formatMonth('2026-12')).toBe('Décembre 2026');
    expect(formatDate('2026-11-21T12:00:00Z')).toContain('2026');
  });

  it.each([
    ['en-GB', 'en', '21:05'],
    ['en-US', 'en', '9:05 PM'],
    // Another language has its own clock.
    ['en-US', 'de', '21:05'],
    ['C', 'en', '9:05 PM'],
    ['en-US@posix', 'en', '9:05 PM'],
  ] as const)('have the clock of the reader’s region: %s in %s', async (device, lang, time) => {
    // Each has a formatter of its own, which is kept.
    vi.resetModules();
    vi.spyOn(navigator, 'language', 'get').mockReturnValue(device);
    const texts = await import('./texts');
    const format = await import('./format');
    await texts.showLanguage(lang);
    const said = format.formatShortTime(new Date(2026, 10, 5, 21, 5).toISOString());
    expect(said.replace(/\s/, ' ')).toBe(time);
    vi.restoreAllMocks();
  });

  it.each([
    ['jp', '45分'],
    ['zh', '45 分钟'],
    ['cht', '45 分鐘'],
    ['en', '45 minutes'],
  ] as const)('part a length from its unit as the texts of %s do', async (lang, length) => {
    await showLanguage(lang);
    expect(formatSpan(45 * 60)).toBe(length);
  });

  it('are exact', () => {
    expect(formatPercent('0.0525')).toBe('5.25%');
  });
});

describe('returns', () => {
  it('have one decimal, also where it is a zero, so that they compare in a column', () => {
    const returns = ['2.23', '-0.0731', '0', null].map(formatReturn);
    expect(returns).toEqual(['+223.0%', '-7.3%', '0.0%', '–']);
  });
});

describe.each(Object.entries(examples))(
  'in %s, as the server writes them too',
  (lang, { decimal, money, date, plural }) => {
    it.each(Object.entries(decimal))('%s is %s', async (given, shown) => {
      await showLanguage(lang as AppLanguage);
      expect(formatDigits(given)).toBe(shown);
    });

    it.each(Object.entries(money))('%s is %s', async (given, shown) => {
      await showLanguage(lang as AppLanguage);
      const [amount = '', code = ''] = given.split(' ');
      expect(formatMoney(amount, { currency: { code, decimals: 2, symbol: code } })).toBe(shown);
    });

    it.each(Object.entries(plural))('%s takes the form %s', (count, form) => {
      expect(new Intl.PluralRules(bcp47(lang as AppLanguage)).select(Number(count))).toBe(form);
    });

    it.each(Object.entries(date))('%s is %s', async (day, shown) => {
      await showLanguage(lang as AppLanguage);
      expect(formatDate(`${day}T12:00:00`)).toBe(shown);
    });
  },
);

describe('numbers and dates', () => {
  it('are formatted in one place, by the language that is shown and not by the device', () => {
    const source = join(import.meta.dirname, '..');
    const ways =
      /Intl\.(NumberFormat|DateTimeFormat|ListFormat|RelativeTimeFormat)|\.toLocale\w+\(/;
    // The second file only reads the time zone; the third is a part of the login, which formats nothing else.
    const allowed = ['i18n/format.ts', 'api/time-zone.ts', 'api/status-text.ts'];
    const strays = readdirSync(source, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
      .filter((file) => !allowed.includes(file))
      .filter((file) => ways.test(readFileSync(join(source, file), 'utf8')));
    expect(strays).toEqual([]);
  });
});
