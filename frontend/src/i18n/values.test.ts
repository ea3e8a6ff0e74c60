import i18next from 'i18next';
import { describe, expect, it } from 'vitest';
import { NetworkError } from '@/api/errors';
import { statusTerms } from '@/api/status-text';
import { flat, languages, read } from '@/testing/locale-files';
import {
  formatAsOf,
  formatChange,
  formatCount,
  formatDate,
  formatDateTime,
  formatMoney,
  formatPercent,
  formatPoints,
  formatSpan,
  formatTime,
} from './format';
import { type AppLanguage, isAppLanguage } from './languages';
import { showLanguage } from './texts';

/** A day with one digit and one with two, before noon and after it. */
const moments = ['2026-03-05T08:07:09Z', '2026-11-21T21:05:00Z', '2026-12-31T13:45:59Z'];
const numbers = [0, 1, 2, 5, 11, 21, 1_500, 1_000_000];

/** What a placeholder is filled with, by its name. All others get a name or a number. */
const values: Record<string, () => string[]> = {
  all: () => [60, 7_200, 432_000].map(formatSpan),
  half: () => [60, 7_200, 432_000].map(formatSpan),
  date: () => moments.map((at) => formatDate(at)),
  moment: () => moments.map(formatDateTime),
  until: () => moments.map(formatDateTime),
  time: () => moments.map(formatDateTime),
  percent: () => ['0.05', '0.125'].map(formatPercent),
  high: () => ['0.0123', '0.02'].map(formatPoints),
  low: () => ['-0.0123', '-0.02'].map(formatPoints),
  score: () => numbers.map(formatCount),
  change: () => numbers.map(formatChange),
  name: () => ['Anna K.', 'Jr. Inc.', 'Aurora Coffee'],
  product: () => ['Aurora Coffee', 'Tea & Co.'],
  reason: () => ['The card is blocked', 'As agreed'],
  when: () =>
    ['60', '840', '86000'].map((after) => statusTerms(new NetworkError(429, '', after)).when),
};

const money =
  /^(amount|budget|cap|earned|expense|fee|income|limit|loss|max|min|minimum|outstanding|payout|platform|price|publisher|receives|spent|stored|value)$/;

/** The keys whose time is one of today: only the hour is said. */
const clocks =
  /^(exchange\.(holdsUntil|ended)|adCenter\.(updated|stale)|wallet\.unbilledHint|terms\.consumed|publisher\.utc)$/;
const asOf = /^(ui\.refresh|installed)\./;

function samples(key: string, name: string): string[] {
  if (/^operated\.period/.test(key)) return moments.map((at) => formatDate(at));
  if (key === 'reports.against') return moments.map((at) => formatDate(at));
  if (key === 'server.vip.fee') return ['0.1', '0.095'].map(formatPercent);
  if (name === 'id' || name === 'plan') return ['P7KQ2M9XRT', 'K7Q2'];
  if (clocks.test(key)) return moments.map(formatTime);
  if (asOf.test(key)) return moments.flatMap((at) => [formatAsOf(Date.parse(at)), formatTime(at)]);
  if (money.test(name)) return ['0.00', '1.00', '-5.50', '1234567.80'].map((m) => formatMoney(m));
  return values[name]?.() ?? [...numbers.map(formatCount), 'Aurora Coffee'];
}

/** As the server fills a gap: the stop of a value ends the sentence too. */
const serverText = (text: string, of: Record<string, string>) =>
  Object.entries(of).reduce(
    (filled, [name, value]) =>
      filled
        .replaceAll(`{{${name}}}${value.endsWith('.') ? '.' : ''}`, value)
        .replaceAll(`{{${name}}}`, value),
    text,
  );

/** Every text with values in its gaps: as many as its gap with the most samples has. */
function filled(lang: string): [key: string, text: string][] {
  return [...flat(read(lang))].flatMap(([key, text]) => {
    const names = [...new Set([...text.matchAll(/{{(\w+)}}/g)].map(([, name]) => name ?? ''))];
    if (names.length === 0) return [];
    const known = names.map((name) => [name, samples(key, name)] as const);
    const most = Math.max(...known.map(([, of]) => of.length));
    return Array.from({ length: most }, (_, n): [string, string] => {
      const of = Object.fromEntries(known.map(([name, all]) => [name, all[n % all.length] ?? '']));
      // A count is not given as such, or i18next would look for another plural form.
      const { count, ...others } = of;
      const bare = text.replaceAll('{{count}}', count ?? '');
      const app = () => i18next.t(key as never, { ...others, defaultValue: bare, lng: 'none' });
      return [key, /^(server|errors)\./.test(key) ? serverText(text, of) : app()];
    });
  });
}

/** In each language, the preposition of an hour right before a day. */
const hourBeforeDay: Partial<Record<AppLanguage, RegExp>> = {
  de: /(?<!\p{L})um \d{1,2}\.\d{1,2}\.\d{4}/u,
  en: /\bat \p{Lu}\p{Ll}{2} \d/u,
  fr: /(?<!\p{L})à \d{1,2} (janv|févr|mars|avr|mai|juin|juil|août|sept|oct|nov|déc)/u,
  pt: /(?<!\p{L})às \d{1,2} de /u,
  ru: /(?<!\p{L})в \d{1,2} \p{Ll}+\.? \d{4}/u,
  spa: /a las \d{1,2} (de )?\p{Ll}{3}/u,
};

/** The texts in which a rule is broken, each once. */
function breaking(texts: [string, string][], wrong: RegExp): string[] {
  const found = texts.filter(([, text]) => wrong.test(text));
  return [...new Map(found.map(([key, text]) => [key, `${key}: ${text}`])).values()];
}

describe.each(languages.filter(isAppLanguage))('values in the sentences of %s', (lang) => {
  it('read as one sentence', async () => {
    await showLanguage(lang);
    const texts = filled(lang);
    expect(texts.length).toBeGreaterThan(300);
    expect(breaking(texts, /\.\.|\. \.|[.。]。|。\.|[,:;] ?[,.;]|{{|}}/)).toEqual([]);
    expect(breaking(texts, / {2}|^\s|\s$| [,.;](?!\d)|\(\s|\s\)/)).toEqual([]);
    // “am am”, “de de”: the text says what the value says already.
    expect(
      breaking(texts, /(?<![\p{L}\p{N}])(?!sie sie)(\p{L}{1,5}) \1(?![\p{L}\p{N}])/iu),
    ).toEqual([]);
    const hour = hourBeforeDay[lang];
    if (hour) expect(breaking(texts, hour)).toEqual([]);
  });
});
