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

  it("reads an error's lang as an app code or as a client code", () => {
    expect(languageOf('zh', [])).toBe('zh');
    expect(languageOf('zh-CN', map)).toBe('zh');
    expect(languageOf('tlh', map)).toBeNull();
  });
});
