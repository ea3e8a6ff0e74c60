import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { type AppLanguage, appLanguages, bcp47, manifestOf } from '../src/i18n/languages.ts';

const root = join(import.meta.dirname, '../..');

type Texts = {
  app: { error: { adBlocker: string } };
  opening: { late: string; needsScript: string; description: string };
  ui: { reload: string };
};

const read = (file: string) => readFileSync(join(root, file), 'utf8');
const textsOf = (lang: AppLanguage): Texts => JSON.parse(read(`locales/${lang}.json`));

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => entities[sign] ?? sign);

/** Without a blank where the sentence before ends in a full-width stop. */
function words({ app, opening, ui }: Texts) {
  const blank = opening.late.endsWith('。') ? '' : ' ';
  return {
    description: `content="${escaped(opening.description)}"`,
    late: `>${escaped(opening.late)}<noscript>${blank}${escaped(opening.needsScript)}</noscript>`,
    reload: `>${escaped(ui.reload)}</a>`,
    adBlocker: `>${escaped(app.error.adBlocker)}</span>`,
  };
}

/** `index.html` as a reader of this language gets it; every text of its own must be found in it. */
export function pageIn(html: string, lang: AppLanguage): string {
  const [english, own] = [words(textsOf('en')), words(textsOf(lang))];
  const changes: [from: string, to: string][] = [
    ['<html lang="en">', `<html lang="${bcp47(lang)}">`],
    [`href="${manifestOf('en')}"`, `href="${manifestOf(lang)}"`],
    [english.description, own.description],
    [english.late, own.late],
    [english.reload, own.reload],
    [english.adBlocker, own.adBlocker],
  ];
  return changes.reduce((page, [from, to]) => {
    const parts = page.split(from);
    if (parts.length !== 2) throw new Error(`index.html has ${parts.length - 1} times: ${from}`);
    return parts.join(to);
  }, html);
}

export function manifestIn(lang: AppLanguage): string {
  const manifest = JSON.parse(read('frontend/public/manifest.webmanifest'));
  const { description } = textsOf(lang).opening;
  return JSON.stringify({ ...manifest, description, lang: bcp47(lang), dir: 'ltr' });
}

/**
 * What is read where no script runs, and what a device says of the installed app: a page and a
 * manifest for each language. The server chooses the page by `Accept-Language`, and the app the manifest
 * as soon as its language is known.
 */
export function inLanguages(): Plugin {
  return {
    name: 'placard:in-languages',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const page = bundle['index.html'];
        // The gallery has a page of its own.
        if (page?.type !== 'asset') return;
        for (const lang of appLanguages.filter((lang) => lang !== 'en')) {
          const source = pageIn(String(page.source), lang);
          this.emitFile({ type: 'asset', fileName: `index.${lang}.html`, source });
          const fileName = manifestOf(lang).slice(1);
          this.emitFile({ type: 'asset', fileName, source: manifestIn(lang) });
        }
      },
    },
  };
}
