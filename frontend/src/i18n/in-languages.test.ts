import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { flat, read } from '@/testing/locale-files';
import { inLanguages, manifestIn, pageIn } from '../../build/in-languages.ts';
import { appLanguages, bcp47, manifestOf } from './languages';

const html = readFileSync('index.html', 'utf8');
const others = appLanguages.filter((lang) => lang !== 'en');

/** As a browser that runs no script reads it. */
const parsed = (page: string) => new DOMParser().parseFromString(page, 'text/html');

/** The files that a build with this page adds. */
function added(page: string): Map<string, string> {
  const files = new Map<string, string>();
  const emitFile = (file: { fileName: string; source: string }) =>
    files.set(file.fileName, file.source);
  // biome-ignore lint/suspicious/noExplicitAny: a hook of a plugin is called as the bundler would
  const hook = (inLanguages().generateBundle as any).handler;
  hook.call({ emitFile }, {}, { 'index.html': { type: 'asset', source: page } });
  return files;
}

describe('the page before any script', () => {
  it('is the English one as it stands', () => {
    expect(pageIn(html, 'en')).toBe(html);
  });

  it.each(others)('speaks to readers of %s', (lang) => {
    const texts = flat(read(lang));
    const page = parsed(pageIn(html, lang));
    const said = page.querySelector('.late')?.textContent;
    expect(page.documentElement.lang).toBe(bcp47(lang));
    expect(page.querySelector<HTMLMetaElement>('meta[name=description]')?.content).toBe(
      texts.get('opening.description'),
    );
    expect(said).toContain(texts.get('opening.late'));
    expect(said).toContain(texts.get('opening.needsScript'));
    expect(said).toContain(texts.get('ui.reload'));
    expect(said).toContain(texts.get('app.error.adBlocker'));
    expect(said).not.toMatch(/loaded|needs|ad blocker|。 |\. ?\./);
    expect(page.querySelector('link[rel=manifest]')?.getAttribute('href')).toBe(manifestOf(lang));
  });

  it('is not built where a text is no longer found', () => {
    expect(() => pageIn(html.replace('needs JavaScript', 'wants JavaScript'), 'de')).toThrow(
      'index.html has 0 times',
    );
  });
});

describe('the manifest', () => {
  it('says in English what en.json says', () => {
    const english = JSON.parse(readFileSync('public/manifest.webmanifest', 'utf8'));
    expect(JSON.parse(manifestIn('en'))).toEqual(english);
  });

  it.each(others)('describes the app in %s, and is the same app', (lang) => {
    const { description, lang: code, ...rest } = JSON.parse(manifestIn(lang));
    expect([description, code]).toEqual([flat(read(lang)).get('opening.description'), bcp47(lang)]);
    expect(rest).toMatchObject({ id: '/', name: 'Placard', start_url: '/', dir: 'ltr' });
  });
});

it('adds a page and a manifest for each language but English', () => {
  const files = added(html);
  expect([...files.keys()].sort()).toEqual(
    others.flatMap((lang) => [`index.${lang}.html`, manifestOf(lang).slice(1)]).sort(),
  );
  expect(files.get('index.jp.html')).toBe(pageIn(html, 'jp'));
});
