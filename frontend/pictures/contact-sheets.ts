import { access, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from '@playwright/test';

const across = 6;
const tallest = 1100;

const looks = ['320-light', '320-dark', '375-light', '375-dark'];
/** Where layout breaks first: long languages on the narrow phone, dense characters on dark. */
const tellingLook: Record<string, string> = {
  ...Object.fromEntries(['de', 'fr', 'pt', 'ru', 'th', 'vi'].map((lang) => [lang, '320-light'])),
  ...Object.fromEntries(['cht', 'jp'].map((lang) => [lang, '375-dark'])),
};

/** A page with all screens of each look, and small pictures of the most telling one. */
export async function drawSheets(
  browser: Browser,
  folder: string,
  names: readonly string[],
  lang: string,
) {
  const telling = tellingLook[lang] ?? '375-light';
  for (const look of looks) {
    const drawn = await those(names, (name) => join(folder, `${name}-${look}.png`));
    await writeFile(join(folder, `all-${look}.html`), html(drawn, look));
    if (look === telling) await drawParts(browser, folder, drawn, look);
  }
}

async function drawParts(browser: Browser, folder: string, names: readonly string[], look: string) {
  const page = await browser.newPage();
  await page.setViewportSize({ width: across * (Number.parseInt(look, 10) + 8), height: 300 });
  const part = join(folder, 'part.html');
  for (let from = 0; from < names.length; from += across) {
    await writeFile(part, html(names.slice(from, from + across), look));
    await page.goto(pathToFileURL(part).href);
    const number = String(from / across + 1).padStart(2, '0');
    await page.screenshot({ path: join(folder, `sheet-${look}-${number}.png`), fullPage: true });
  }
  await rm(part);
  await page.close();
}

async function those(names: readonly string[], pathOf: (name: string) => string) {
  const there = await Promise.all(
    names.map((name) =>
      access(pathOf(name)).then(
        () => true,
        () => false,
      ),
    ),
  );
  return names.filter((_, at) => there[at]);
}

function html(names: readonly string[], look: string) {
  const figures = names.map(
    (name) => `<figure><figcaption>${name}</figcaption><img src="${name}-${look}.png"></figure>`,
  );
  return `<!doctype html><meta charset="utf-8"><title>${look}</title><style>
body { margin: 0; display: flex; flex-wrap: wrap; background: #888; font: 12px sans-serif }
figure { margin: 4px; width: ${Number.parseInt(look, 10)}px; max-height: ${tallest}px; overflow: hidden }
img { width: 100% }
</style>${figures.join('')}`;
}
