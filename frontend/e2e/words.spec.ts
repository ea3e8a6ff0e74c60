import { expect, test } from '@playwright/test';
import { judgeOf } from '../pictures/words.ts';

// The check for untranslated texts itself has to find them. It needs no browser.
const english = new Set(['Settings', 'Plan', 'Aurora Coffee', 'Placard']);

function found(lang: string, ...texts: string[]) {
  const spoken = texts.map((text) => ({ text, from: 'p' }));
  return judgeOf(lang, ['Aurora Coffee'])(spoken, english).map((line) => line.replace(/:.*/, ''));
}

test('texts that are not in the language are found', () => {
  expect(found('de', 'Settings')).toEqual(['as in English']);
  expect(found('jp', 'Something else')).toEqual(['Latin letters only']);
  expect(found('cht', '账户与图片')).toEqual(['other Chinese']);
  expect(found('zh', '帳號與圖片')).toEqual(['other Chinese']);
  expect(found('en', 'wallet.title', 'NaN %', 'Hello {{name}}')).toEqual([
    'raw key',
    'raw value',
    'raw value',
  ]);
});

test('names, codes and the own words of a language are left alone', () => {
  expect(found('de', 'Budget', 'Aurora Coffee', 'Placard', 'mia@example.com')).toEqual([]);
  expect(found('ru', 'TRC20', 'CSV', 'DEMO-PERSONAL-1', '1.234,56 USD')).toEqual([]);
  expect(found('cht', '帳號')).toEqual([]);
});
