import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { bcp47, isAppLanguage } from '../src/i18n/languages.ts';

const locales = join(import.meta.dirname, '../../locales');

type Texts = {
  app: { error: { adBlocker: string } };
  opening: { oldBrowser: string; late: string };
  ui: { reload: string };
};
type Notice = [oldBrowser: string, late: string, reload: string, adBlocker: string];

/** What a page without the app says in each language, by its BCP 47 code; Chinese without more is simplified. */
function texts(): Record<string, Notice> {
  const files = readdirSync(locales);
  const all = files.flatMap((file): [string, Notice][] => {
    const language = file.replace('.json', '');
    if (!isAppLanguage(language)) return [];
    const code = bcp47(language).toLowerCase();
    const { app, opening, ui } = JSON.parse(readFileSync(join(locales, file), 'utf8')) as Texts;
    const name = code === 'zh-hant' ? code : (code.split('-')[0] ?? code);
    return [[name, [opening.oldBrowser, opening.late, ui.reload, app.error.adBlocker]]];
  });
  return Object.fromEntries(all);
}

/** What it runs as. */
export function oldBrowserScript(): string {
  const script = readFileSync(join(import.meta.dirname, 'old-browser-notice.js'), 'utf8');
  return script.replaceAll('TEXTS[', `(${JSON.stringify(texts())})[`);
}

/**
 * A browser older than those in package.json's `browserslist` cannot run the app. A small script that
 * any browser can run says so in the reader's language, in the place where `index.html` says that the
 * app has not loaded. Any other browser has that in the reader's language.
 */
export function oldBrowserNotice(): Plugin {
  let file = '';
  return {
    name: 'placard:old-browser',
    apply: 'build',
    buildStart() {
      file = this.emitFile({ type: 'asset', name: 'old-browser.js', source: oldBrowserScript() });
    },
    generateBundle: {
      order: 'pre',
      handler() {
        file = this.getFileName(file);
      },
    },
    transformIndexHtml: {
      order: 'post',
      handler: () => [{ tag: 'script', attrs: { src: `/${file}`, async: true }, injectTo: 'body' }],
    },
  };
}
