import { describe, expect, it } from 'vitest';
import { flat, languages, plural, read } from '@/testing/locale-files';
import { type AppLanguage, bcp47, isAppLanguage } from './languages';

const all = new Map(languages.map((lang) => [lang, flat(read(lang))] as const));
const english = all.get('en') ?? new Map<string, string>();

/** The texts that break a rule, as `key: text` for the report. */
function breaking(lang: string, breaks: (text: string, key: string) => boolean): string[] {
  const texts = [...(all.get(lang) ?? [])];
  return texts.filter(([key, text]) => breaks(text, key)).map(([key, text]) => `${key}: ${text}`);
}

const han = '\\u3400-\\u9fff';
const kana = '\\u3040-\\u30ff';

describe.each(languages)('%s', (lang) => {
  it('has no stray spaces, three dots or typewriter quotes', () => {
    const stray = /^\s|\s$| {2}|[\n\t]|\.\.\.|["'`]/;
    expect(breaking(lang, (text) => stray.test(text))).toEqual([]);
  });

  it('writes digits in Latin, and dashes as dashes', () => {
    // The specification gives this line with a hyphen.
    const given = 'app.service.line';
    const odd = /[\u0e50-\u0e59\uff10-\uff19]| - /;
    expect(breaking(lang, (text, key) => key !== given && odd.test(text))).toEqual([]);
  });

  it('has each plural form of its language, and no other', () => {
    const code = isAppLanguage(lang) ? bcp47(lang) : lang;
    const wanted = [...new Intl.PluralRules(code).resolvedOptions().pluralCategories].sort();
    const keys = [...(all.get(lang)?.keys() ?? [])];
    const forms = new Map<string, string[]>();
    for (const base of keys.flatMap((key) => /^(.*)_other$/.exec(key)?.[1] ?? [])) {
      const found = keys.filter((key) => key !== base && key.replace(plural, '') === base);
      forms.set(base, found.map((key) => plural.exec(key)?.[1] ?? '').sort());
    }
    expect(forms.size).toBeGreaterThan(5);
    for (const [base, found] of forms) expect([base, ...found]).toEqual([base, ...wanted]);
  });

  it.skipIf(lang === 'en')('says whole sentences in its own words', () => {
    const words = (text: string) => text.replace(/{{\w+}}/g, '').match(/\p{L}+/gu) ?? [];
    const same = (text: string, key: string) =>
      text === english.get(key) && new Set(words(text)).size > 2;
    expect(breaking(lang, same)).toEqual([]);
  });

  it.skipIf(lang === 'en' || lang === 'th')('ends a sentence where English does', () => {
    const open = (text: string, key: string) =>
      /\.$/.test(english.get(key) ?? '') && !/([.。]|}}|[:：])$/.test(text);
    expect(breaking(lang, open)).toEqual([]);
  });
});

describe('English', () => {
  it('is spelled as in America, but for “cancelled”, which the specification has', () => {
    const british =
      /\b(recogn|organ|author|real|custom|summar|minim|maxim|optim|priorit|synchron|apolog)is(e|ing|ation)|analyse|colour|favour|behaviour|neighbour|honour|centre|metre|catalogue|cheque|licence|grey|learnt|whilst|towards|any more\b(?! \w)|canceled/i;
    expect(breaking('en', (text) => british.test(text))).toEqual([]);
  });

  it('logs in, and never signs in', () => {
    const signs = /\bsign(s|ed|ing)?([ -](you |him |her |them )?(in|out))\b/i;
    expect(breaking('en', (text) => signs.test(text))).toEqual([]);
  });

  it('calls a showing of an ad an impression, not a view', () => {
    expect(breaking('en', (text) => /\bviews?\b/i.test(text))).toEqual([]);
  });

  it('writes no contractions', () => {
    const short = /n’t\b|’(re|ve|ll|m|d)\b|\b(it|that|what|there|here|let|who|he|she)’s\b/i;
    expect(breaking('en', (text) => short.test(text))).toEqual([]);
  });

  it('says minus, not less', () => {
    expect(breaking('en', (text) => /, less (?!than)/.test(text))).toEqual([]);
  });

  it('ends a title of one sentence without a stop', () => {
    const odd = (text: string, key: string) =>
      /(^|\.)(\w*[tT]itle|label)$/.test(key) && /\.$/.test(text);
    expect(breaking('en', odd)).toEqual([]);
  });
});

describe('an error', () => {
  const others = ['cht', 'jp', 'th', 'zh'];
  it.each(languages.filter((lang) => !others.includes(lang)))(
    'of one sentence ends without a stop in %s, and of several with one',
    (lang) => {
      const several = /[.?!] [\p{Lu}\p{Lo}¿{]/u;
      const odd = (text: string, key: string) =>
        /^errors\./.test(key) && (several.test(text) ? !/(\.|}})$/.test(text) : /\.$/.test(text));
      expect(breaking(lang, odd)).toEqual([]);
    },
  );
});

/** The quotation marks of each language. All others are wrong in it. */
const quotes: Record<AppLanguage, string> = {
  cht: '「」',
  de: '„“',
  en: '“”’',
  fr: '«»’',
  jp: '「」',
  kor: '‘’“”',
  pt: '“”',
  ru: '«»',
  spa: '“”',
  th: '“”',
  vi: '“”',
  zh: '“”',
};

describe('quotation marks', () => {
  it.each(Object.entries(quotes))('are those of %s', (lang, own) => {
    const foreign = new RegExp(
      `[${'「」『』“”„«»‘’'.replace(/./g, (mark) => (own.includes(mark) ? '' : mark))}]`,
    );
    expect(breaking(lang, (text) => foreign.test(text))).toEqual([]);
  });
});

describe('spaces', () => {
  it('of French keep marks with their words', () => {
    // Narrow before the marks that are as high as a letter, whole before the others.
    const loose = /(?<!\u202f)[;!?]|(?<!\u00a0)[:»%]|«(?!\u00a0)/;
    expect(breaking('fr', (text) => loose.test(text))).toEqual([]);
  });

  it.each(['de', 'ru'])('of %s keep a percent sign with its number', (lang) => {
    expect(breaking(lang, (text) => /(?<!\u00a0)%/.test(text))).toEqual([]);
  });

  it('of Russian keep a dash on the line of the word before it', () => {
    expect(breaking('ru', (text) => / — /.test(text))).toEqual([]);
  });

  it.each(['de', 'fr', 'pt', 'ru', 'spa', 'vi'])('of %s keep a size with its number', (lang) => {
    const apart = /(\d|\}\}) (MB|Mo|МБ|kB|KB|ko|КБ)(?!\p{L})/u;
    expect(breaking(lang, (text) => apart.test(text))).toEqual([]);
  });

  it.each(['cht', 'zh'])('of %s part Chinese from Latin words and numbers', (lang) => {
    const close = new RegExp(`[${han}][A-Za-z0-9]|[A-Za-z0-9][${han}]`);
    expect(breaking(lang, (text) => close.test(text))).toEqual([]);
  });

  it('of Thai keep the sign of repetition with its word', () => {
    expect(breaking('th', (text) => /(?<!\u00a0)ๆ/.test(text))).toEqual([]);
  });

  it('of Japanese part nothing', () => {
    const japanese = `[${kana}${han}]`;
    const apart = new RegExp(`${japanese} [A-Za-z0-9{]|[A-Za-z0-9}] ${japanese}`);
    expect(breaking('jp', (text) => apart.test(text))).toEqual([]);
  });
});

describe('punctuation', () => {
  it.each(['cht', 'jp', 'zh'])('of %s is full-width beside its characters', (lang) => {
    const narrow = new RegExp(`[${kana}${han}][,.:;!?()]|[,:;!?()][${kana}${han}]`);
    expect(breaking(lang, (text) => narrow.test(text))).toEqual([]);
  });

  it('of Spanish opens what it closes', () => {
    const count = (text: string, mark: string) => text.split(mark).length;
    const unopened = (text: string) =>
      count(text, '?') !== count(text, '¿') || count(text, '!') !== count(text, '¡');
    expect(breaking('spa', unopened)).toEqual([]);
  });

  it('of Thai has no full stops and no question marks', () => {
    expect(breaking('th', (text) => /[.?]$/.test(text))).toEqual([]);
  });
});

/** Wrong ways to address the user; English has but one. docs/LANGUAGES.md names the right ones. */
const wrongAddress: Record<Exclude<AppLanguage, 'en'>, RegExp> = {
  cht: /你/,
  de: /(?<!\p{L})(du|dein\p{L}*|dir|dich|euch|euer)(?!\p{L})/iu,
  fr: /(?<!\p{L})(tu|ton|ta|tes|toi)(?!\p{L})/iu,
  jp: /(だ|だった|である)。/,
  kor: /당신/,
  pt: /(?<!\p{L})(tu|teu|teus|tua|tuas|vós)(?!\p{L})/iu,
  ru: /(?<!\p{L})(ты|тебя|тебе|твой|твоя|твои|Вы(?<!^Вы)(?<![.!?:] Вы))(?!\p{L})/u,
  spa: /(?<!\p{L})(usted|ustedes|vosotros|vuestr\p{L}+)(?!\p{L})/iu,
  th: /กรุณา|(?<!เ)ท่าน(?!ั้น)/,
  vi: /quý khách|anh\/chị/i,
  zh: /你/,
};

describe('the reader', () => {
  it.each(Object.entries(wrongAddress))('is spoken to alike throughout in %s', (lang, wrong) => {
    expect(breaking(lang, (text) => wrong.test(text))).toEqual([]);
  });
});

describe('traditional Chinese', () => {
  it('uses words of its own, not those of the mainland in other characters', () => {
    const mainland =
      /用戶|登錄|充值|提現|視頻|鏈接|信息|賬|默認|網絡|軟件|服務器|設置|加載|創建|反饋|屏幕|轉化/;
    expect(breaking('cht', (text) => mainland.test(text))).toEqual([]);
  });

  it('and simplified Chinese share no sentence', () => {
    const simplified = all.get('zh');
    const long = new RegExp(`(?:[${han}][^${han}]*){9}`);
    const same = (text: string, key: string) => long.test(text) && simplified?.get(key) === text;
    expect(breaking('cht', same)).toEqual([]);
  });
});
