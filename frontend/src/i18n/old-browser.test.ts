import { afterEach, expect, it, vi } from 'vitest';
import { flat, languages, read } from '@/testing/locale-files';
import { oldBrowserScript } from '../../build/old-browser.ts';
import { bcp47, isAppLanguage } from './languages';

const notLoaded = 'Placard has not loaded yet.';

/** Runs it on a page like `index.html`, and returns what the notice says. */
function said(readers: readonly string[], current = false): string | null {
  document.body.innerHTML = `<div class="late">${notLoaded}<br /><a href="/">Reload</a><span></span></div>`;
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(readers);
  vi.stubGlobal('CSS', { supports: () => current });
  new Function(oldBrowserScript())();
  return document.body.textContent;
}

const text = (lang: string) => flat(read(lang)).get('opening.oldBrowser');

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

it('says in each language that the browser is too old', () => {
  for (const lang of languages.filter(isAppLanguage)) {
    expect(said([bcp47(lang)]), lang).toBe(text(lang));
  }
  expect(new Set(languages.map(text)).size).toBe(languages.length);
});

it('takes the first of the reader’s languages that it knows, and English otherwise', () => {
  expect(said(['tlh', 'de-AT', 'en'])).toBe(text('de'));
  expect(said(['zh-TW'])).toBe(text('cht'));
  expect(said(['zh-CN'])).toBe(text('zh'));
  expect(said(['C'])).toBe(text('en'));
});

it('says where the app can run that it has not loaded yet', () => {
  for (const lang of languages.filter(isAppLanguage)) {
    const of = flat(read(lang));
    const all = ['opening.late', 'ui.reload', 'app.error.adBlocker'];
    const notice = all.map((key) => of.get(key)).join('');
    expect(said([bcp47(lang)], true), lang).toBe(notice);
    // The language that was chosen in the app comes first.
    localStorage.setItem('lang', lang);
    expect(said(['tlh', 'de'], true), lang).toBe(notice);
    localStorage.clear();
  }
  expect(said(['en'], true)).toMatch(`${notLoaded}Reload`);
});
