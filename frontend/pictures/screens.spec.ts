import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Browser, expect, type Page } from '@playwright/test';
import { layoutFaults } from '../e2e/layout.ts';
import { seed } from '../e2e/people.ts';
import { answerForContacts, buildApp, serveBuild, settled, signIn } from '../e2e/screens.ts';
import { test } from '../e2e/test.ts';
import { bcp47, isAppLanguage } from '../src/i18n/languages.ts';
import { languages } from '../src/testing/locale-files.ts';
import { drawSheets } from './contact-sheets.ts';
import { allStates, type State, type Who } from './states.ts';
import { translator } from './texts.ts';
import { judgeOf, type Spoken, spokenTexts } from './words.ts';
import { liveIn, speak, type World } from './world.ts';

/** `just screens de ru` names the languages; without names, all of them. */
const chosen = process.env.PLACARD_SCREENS?.split(' ').filter(Boolean) ?? [];
const folder = resolve(import.meta.dirname, 'screens');
const phones = [
  { width: 320, height: 568 },
  { width: 375, height: 812 },
] as const;
const longest = 6000;
const themes = ['light', 'dark'] as const;

test.use({ trace: 'off' });

let build: string;

test.beforeAll(async () => {
  build = await buildApp();
});

test.afterAll(() => rm(build, { recursive: true, force: true }));

test('every screen in every language', async ({ browser, installation }) => {
  test.setTimeout(3 * 3_600_000);
  const seeded = await seed(installation);
  await installation.start();
  const world = await liveIn(installation, seeded);
  const langs = chosen.length > 0 ? chosen : languages;
  const english: Texts = new Map();
  const say = (name: string, texts: Spoken[]) =>
    english.set(name, new Set(texts.map(({ text }) => text)));
  await test.step('what English says', () =>
    look({ browser, base: installation.base, world, lang: 'en' }, async ({ name }, page) => {
      say(name, await spokenTexts(page));
    }));
  for (const lang of langs) {
    await test.step(lang, async () => {
      const found = await inspect({ browser, base: installation.base, world, lang }, english);
      expect.soft(found, `${found.length} findings in ${lang}`).toEqual([]);
    });
  }
});

type Tour = { browser: Browser; base: string; world: World; lang: string };

type Texts = Map<string, ReadonlySet<string>>;

async function inspect(tour: Tour, english: Texts) {
  const { lang, browser, world } = tour;
  const own = join(folder, lang);
  await rm(own, { recursive: true, force: true });
  await mkdir(own, { recursive: true });
  const judge = judgeOf(lang, await world.given(lang));
  const found: string[] = [];
  // Written as they are found, so that one can begin to read before all languages are done.
  const note = async (name: string, lines: string[]) => {
    found.push(...lines.map((line) => `${name}: ${line}`));
    await writeFile(join(own, 'findings.txt'), found.map((line) => `${line}\n`).join(''));
  };
  const began = Date.now();
  await look(
    tour,
    async ({ name }, page) => {
      await note(name, judge(await spokenTexts(page), english.get(name) ?? new Set()));
      await note(name, await inLooks(page, join(own, name)));
    },
    ({ name }, error) => note(name, [`cannot be reached: ${error.message.split('\n')[0]}`]),
  );
  const names = allStates.map(({ name }) => name);
  await drawSheets(browser, own, names, lang);
  console.log(`${lang}: ${found.length} findings, ${Math.round((Date.now() - began) / 1000)} s`);
  return found;
}

/**
 * Photographs the page on both phones in both themes. A theme moves nothing, so each phone is
 * checked only once.
 */
async function inLooks(page: Page, path: string) {
  const faults = new Map<string, number[]>();
  for (const { width, height } of phones) {
    await page.setViewportSize({ width, height });
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
    for (const { rule, element, text } of await layoutFaults(page)) {
      const line = `${rule}: ${text} in ${element}`;
      faults.set(line, [...new Set([...(faults.get(line) ?? []), width])]);
    }
    await shoot(page, `${path}-${width}`, width, height);
  }
  return [...faults].map(([line, at]) => `${line} (${at.join(', ')} px)`);
}

/** The whole length, as if the phone were as long; what is fixed at the bottom is at the bottom. */
async function shoot(page: Page, path: string, width: number, height: number) {
  // A long screen has more space between things, so measuring again on it gives a larger height.
  for (let tries = 0, tall = height; tries < 2; tries += 1) {
    const long = Math.min(await length(page), longest);
    if (long <= tall) break;
    tall = long;
    await page.setViewportSize({ width, height: tall });
  }
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: `${path}-${colorScheme}.png`, animations: 'disabled' });
  }
}

function length(page: Page) {
  return page.evaluate(() => {
    const panel = [...document.querySelectorAll('[role=dialog]')].at(-1);
    if (!panel) return document.documentElement.scrollHeight;
    const inner = [...panel.children].reduce((sum, { scrollHeight }) => sum + scrollHeight, 0);
    // A panel leaves an eighth of the screen free.
    return Math.ceil(inner / 0.86);
  });
}

/** Goes through every state in a language. */
async function look(
  tour: Tour,
  at: (state: State, page: Page) => Promise<void>,
  onLost: (state: State, error: Error) => Promise<void> = async () => {},
) {
  for (const who of ['nobody', 'newcomer', 'demo'] as const) {
    const page = await visitor(tour, who);
    for (const state of allStates.filter((one) => one.who === who)) {
      try {
        await reach(tour, state, page);
        await at(state, page);
      } catch (error) {
        await onLost(state, error as Error);
      }
    }
    await page.context().close();
  }
}

async function visitor({ browser, base, world, lang }: Tour, who: Who) {
  const context = await browser.newContext({
    viewport: phones[0],
    hasTouch: true,
    reducedMotion: 'reduce',
    locale: isAppLanguage(lang) ? bcp47(lang) : lang,
  });
  await context.addInitScript((code) => {
    if (window === window.top) localStorage.setItem('lang', code);
  }, lang);
  await answerForContacts(context, base);
  await serveBuild(context, base, build);
  if (who !== 'nobody') await signIn(context, await speak(base, world.accounts[who], lang));
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  return page;
}

async function reach({ base, world, lang }: Tour, state: State, page: Page) {
  await page.unrouteAll();
  await page.setViewportSize(phones[0]);
  // For another state, or the same page again, the app is reloaded, so that nothing is left open or
  // typed.
  const again = new URL(page.url()).hash.split('?')[0] === `#${state.path}`;
  if (state.open || again) await page.goto('about:blank');
  await page.goto(`${base}/#${state.path}${state.query ?? world.queries[state.path] ?? ''}`);
  await settled(page, state.path);
  await state.open?.({ page, t: translator(lang) });
  await page.waitForFunction(() => {
    // The whole length is photographed, not only the visible part.
    for (const image of document.images) image.loading = 'eager';
    return [...document.images].every(({ complete }) => complete);
  });
  await page.evaluate(() => document.fonts.ready);
}
