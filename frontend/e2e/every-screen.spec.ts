import AxeBuilder from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { routes } from '../src/app/routes.ts';
import { Installation } from './installation.ts';
import { answerForContacts, nowhere, openPaths, settled, signIn } from './screens.ts';
import { type Account, queriesFor, signInQuietly } from './stock.ts';
import { overflow, watch } from './watch.ts';

/**
 * Every page in the settings that break first: long languages, a narrow phone, both themes. Names,
 * roles and contrast don't depend on the language, so they are checked once per theme.
 */
const looks = [
  { lang: 'de', colorScheme: 'light', width: 320, height: 568, axe: false },
  { lang: 'ru', colorScheme: 'dark', width: 320, height: 568, axe: true },
  { lang: 'en', colorScheme: 'light', width: 375, height: 812, axe: true },
  { lang: 'cht', colorScheme: 'dark', width: 375, height: 812, axe: false },
  { lang: 'spa', colorScheme: 'dark', width: 768, height: 1024, axe: true },
  { lang: 'th', colorScheme: 'light', width: 1280, height: 800, axe: true },
] as const;

// Tracing some two hundred screens would take longer than checking them.
test.use({ trace: 'off' });

// One after the other, they would go on alone when every other file is done.
test.describe.configure({ mode: 'parallel' });

let installation: Installation;
let account: Account;
let queries: Awaited<ReturnType<typeof queriesFor>>;

test.beforeAll(async () => {
  installation = await Installation.create();
  await installation.staff(null, 'demo', 'seed');
  await installation.start();
  account = await signInQuietly(installation.base, 'demo', 'demo-password');
  queries = await queriesFor(installation.base, account);
});

test.afterAll(() => installation.remove());

for (const { lang, colorScheme, width, height, axe } of looks) {
  const name = `every screen is sound in ${lang}, ${colorScheme}, ${width} px`;
  test(name, async ({ browser }) => {
    const context = await browser.newContext({
      colorScheme,
      viewport: { width, height },
      reducedMotion: 'reduce',
    });
    // A contact's page runs in a sandbox without storage.
    await context.addInitScript((chosen) => {
      if (window === window.top) localStorage.setItem('lang', chosen);
    }, lang);
    await answerForContacts(context, installation.base);
    const page = await context.newPage();
    const troubles = watch(page, installation.base, ['https://support.example.com']);
    for (const path of [...openPaths, nowhere]) await inspect(page, path, troubles, axe);
    await signIn(context, account);
    await page.reload();
    const closed = routes.filter((route) => route.needsLogin).map((route) => route.path);
    for (const path of [...closed, '/ad-welcome']) await inspect(page, path, troubles, axe);
    await context.close();
  });
}

test('above 750 px a page is a column of 600 px in the middle, below it the whole width', async ({
  page,
}) => {
  for (const [width, left, right] of [
    [750, 0, 750],
    [751, 75.5, 675.5],
    [1280, 340, 940],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`${installation.base}/#/login`);
    await settled(page, '/login');
    const box = await page.getByRole('main').boundingBox();
    expect([box?.x, (box?.x ?? 0) + (box?.width ?? 0)], `at ${width} px`).toEqual([left, right]);
  }
});

test('forced colors leave an edge around what is pressed, and show what is chosen', async ({
  browser,
}) => {
  const context = await browser.newContext({
    forcedColors: 'active',
    viewport: { width: 375, height: 812 },
  });
  await answerForContacts(context, installation.base);
  await signIn(context, account);
  const page = await context.newPage();
  await page.goto(`${installation.base}/#/ad-center`);
  await settled(page, '/ad-center');
  const look = (name: string) =>
    page.getByRole('tab', { name, exact: true }).evaluate((tab) => {
      const { backgroundColor, outlineStyle } = getComputedStyle(tab);
      return { backgroundColor, outlineStyle };
    });
  const chosen = await look('Today');
  const other = await look('Week');
  expect(other.outlineStyle).toBe('solid');
  expect(chosen.backgroundColor).not.toBe(other.backgroundColor);
  await context.close();
});

test('on paper a page has its title once, and no bars over it', async ({ browser }) => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  await answerForContacts(context, installation.base);
  await signIn(context, account);
  const page = await context.newPage();
  await page.goto(`${installation.base}/#/plan`);
  await settled(page, '/plan');
  const tabs = page.getByRole('navigation', { name: 'Main pages' });
  await expect(tabs).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  await expect(tabs).toBeHidden();
  await expect(page.getByRole('banner').getByRole('button')).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const { position, left } = await page.getByRole('banner').evaluate((bar) => {
    return { position: getComputedStyle(bar).position, left: bar.getBoundingClientRect().left };
  });
  expect({ position, left }).toEqual({ position: 'absolute', left: 0 });
  await context.close();
});

async function inspect(page: Page, path: string, troubles: string[], axe: boolean) {
  await page.goto(`${installation.base}/#${path}${queries[path] ?? ''}`);
  await settled(page, path);
  // A soft assertion, so that one run reports every faulty screen.
  expect.soft(await overflow(page), `${path} is wider than the screen`).toBeLessThanOrEqual(0);
  expect.soft(await enlarged(page), `${path} in large text is wider`).toBeLessThanOrEqual(0);
  if (axe) expect.soft(await barriers(page), `${path} for everybody`).toEqual([]);
  expect.soft(troubles.splice(0), `${path} in silence`).toEqual([]);
}

/** How much wider than the screen the page is when the user doubles the text size. */
async function enlarged(page: Page) {
  const root = page.locator(':root');
  await root.evaluate(({ style }) => style.setProperty('font-size', '200%'));
  const wider = await overflow(page);
  await root.evaluate(({ style }) => style.removeProperty('font-size'));
  return wider;
}

async function barriers(page: Page) {
  const { violations } = await new AxeBuilder({ page }).exclude('iframe').analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}
