import AxeBuilder from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { Installation } from './installation.ts';
import { overflow, watch } from './watch.ts';

const screens = [
  '/login',
  '/register',
  '/ad-welcome',
  '/ad-center',
  '/notification',
  '/plan',
  '/plan/detail?id=1',
  '/plan/goods-detail?id=1',
  '/wallet',
  '/wallet/set-password',
  '/wallet/bind-card',
  '/wallet/withdraw',
  '/no-such-page',
];
const looks = [
  { lang: 'en', colorScheme: 'light', width: 320 },
  { lang: 'de', colorScheme: 'dark', width: 320 },
  { lang: 'cht', colorScheme: 'light', width: 375 },
  { lang: 'th', colorScheme: 'dark', width: 1280 },
] as const;

let installation: Installation;

test.beforeAll(async () => {
  installation = await Installation.create();
  await installation.staff(null, 'demo', 'seed');
  await installation.start();
});

test.afterAll(() => installation.remove());

for (const { lang, colorScheme, width } of looks) {
  test(`every screen is sound in ${lang}, ${colorScheme}, ${width} px`, async ({ browser }) => {
    const context = await browser.newContext({
      colorScheme,
      viewport: { width, height: 700 },
      reducedMotion: 'reduce',
    });
    await context.addInitScript((chosen) => localStorage.setItem('lang', chosen), lang);
    const page = await context.newPage();
    const troubles = watch(page, installation.base);
    for (const screen of screens) {
      // The first three are for who is not signed in; after them the demonstration's user is.
      if (screen === '/ad-center') await signIn(installation.base, page);
      await page.goto(`${installation.base}/#${screen}`);
      await expect(page.getByRole('heading').first()).toBeVisible();
      await page.waitForLoadState('networkidle');
      expect(await overflow(page), `${screen} is wider than the screen`).toBeLessThanOrEqual(0);
      const { violations } = await new AxeBuilder({ page }).analyze();
      const found = violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
      expect(found, `${screen} in ${lang}`).toEqual([]);
    }
    expect(troubles).toEqual([]);
    await context.close();
  });
}

async function signIn(base: string, page: Page) {
  await page.goto(`${base}/#/login`);
  await page.locator('input[name=username]').fill('demo');
  await page.locator('input[name=password]').fill('demo-password');
  await page.locator('button[type=submit]').click();
  await page.waitForURL(/#\/ad-center/);
}
