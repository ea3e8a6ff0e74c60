import { describe, expect, it } from 'vitest';
import { firstLanguage, languageOf, mapClientLanguage } from './first-language';

const map = [
  { source: 'zh, zh-CN', targets: 'zh' },
  { source: 'en', targets: 'en' },
];

describe('the first language', () => {
  it('is the stored one', () => {
    localStorage.setItem('lang', 'zh');
    expect(firstLanguage(['en'], map)).toBe('zh');
  });

  it('ignores a stored one without texts', () => {
    localStorage.setItem('lang', 'klingon');
    expect(firstLanguage(['zh-CN'], map)).toBe('zh');
  });

  it('is else what the server maps the client to, by the longest source', () => {
    expect(firstLanguage(['zh-CN'], map)).toBe('zh');
    const odd = [...map, { source: 'zh-HK', targets: 'en' }];
    expect(mapClientLanguage('zh-HK', odd)).toBe('en');
    expect(mapClientLanguage('zh_SG', odd)).toBe('zh');
    expect(mapClientLanguage('zhx', odd)).toBeNull();
  });

  it('is else the client language itself, else English', () => {
    expect(firstLanguage(['xx', 'zh-SG'], [])).toBe('zh');
    expect(firstLanguage(['tlh'], [])).toBe('en');
    expect(firstLanguage([], [])).toBe('en');
  });

  it.each([
    ['th_TH', 'th'],
    ['zh_Hant_TW', 'cht'],
    ['zh_TW', 'cht'],
    ['zh_Hans_CN_#Hans', 'zh'],
    ['en-US@posix', 'en'],
    ['de_DE.UTF-8', 'de'],
    ['pt_BR@euro', 'pt'],
    ['ja-JP-u-ca-japanese', 'jp'],
  ])('understands %s as a device may write it', (code, lang) => {
    expect(firstLanguage(['tlh', code], [])).toBe(lang);
  });

  it.each(['C', 'C.UTF-8', 'POSIX', '', ' ', '_', '-', 'x', '@', '123', 'toolongforit'])(
    'passes over "%s", which names no language',
    (code) => {
      expect(firstLanguage([code, 'de'], map)).toBe('de');
      expect(languageOf(code, map)).toBeNull();
    },
  );

  it('counts every underscore of the map and of the client', () => {
    const taiwan = [{ source: 'zh_Hant_TW', targets: 'en' }, ...map];
    expect(mapClientLanguage('zh-Hant-TW', taiwan)).toBe('en');
    expect(mapClientLanguage('zh_Hant_TW', taiwan)).toBe('en');
    expect(mapClientLanguage('zh_Hant_TW@stroke', taiwan)).toBe('en');
  });

  it("reads an error's lang as an app code or as a client code", () => {
    expect(languageOf('zh', [])).toBe('zh');
    expect(languageOf('zh-CN', map)).toBe('zh');
    expect(languageOf('tlh', map)).toBeNull();
  });
});
