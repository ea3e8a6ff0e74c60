import AxeBuilder from '@axe-core/playwright';
import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { routeName, routes } from '../src/app/routes.ts';
import { Installation } from './installation.ts';
import { type Account, queriesFor, signInQuietly } from './stock.ts';
import { overflow, watch } from './watch.ts';

/** Every page in the looks that break first: the long languages, the narrow phone, both themes. */
const looks = [
  { lang: 'de', colorScheme: 'light', width: 320, height: 568 },
  { lang: 'ru', colorScheme: 'dark', width: 320, height: 568 },
  { lang: 'en', colorScheme: 'light', width: 375, height: 812 },
  { lang: 'cht', colorScheme: 'dark', width: 375, height: 812 },
  { lang: 'th', colorScheme: 'light', width: 1280, height: 800 },
] as const;

const nowhere = '/no-such-page';

// A trace of some two hundred screens would take longer than looking at them.
test.use({ trace: 'off' });

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

for (const { lang, colorScheme, width, height } of looks) {
  const name = `every screen is sound in ${lang}, ${colorScheme}, ${width} px`;
  test(name, async ({ browser }) => {
    test.setTimeout(300_000);
    const context = await browser.newContext({
      colorScheme,
      viewport: { width, height },
      reducedMotion: 'reduce',
    });
    // A contact's page, sandboxed as it is, has no storage.
    await context.addInitScript((chosen) => {
      if (window === window.top) localStorage.setItem('lang', chosen);
    }, lang);
    await answerForContacts(context);
    const page = await context.newPage();
    const troubles = watch(page, installation.base, ['https://support.example.com']);
    const open = routes.filter((route) => !route.needsLogin).map((route) => route.path);
    for (const path of [...open, nowhere]) await inspect(page, path, troubles);
    await context.addInitScript(({ token, user }) => {
      if (window !== window.top) return;
      localStorage.setItem('fb_token', token);
      localStorage.setItem('fb_userInfo', JSON.stringify(user));
    }, account);
    await page.reload();
    const closed = routes.filter((route) => route.needsLogin).map((route) => route.path);
    for (const path of [...closed, '/ad-welcome']) await inspect(page, path, troubles);
    await context.close();
  });
}

/** Whoever answers a contact's page, it is not us. */
function answerForContacts(context: BrowserContext) {
  const page = '<!doctype html><html lang="en"><title>Chat</title><h1>Chat</h1></html>';
  return context.route(
    (address) => address.origin !== installation.base,
    (route) => route.fulfill({ contentType: 'text/html', body: page }),
  );
}

async function inspect(page: Page, path: string, troubles: string[]) {
  await page.goto(`${installation.base}/#${path}${queries[path] ?? ''}`);
  await settled(page, path);
  // Softly, so that one run tells of every screen that is not sound.
  expect.soft(await overflow(page), `${path} is wider than the screen`).toBeLessThanOrEqual(0);
  const { violations } = await new AxeBuilder({ page }).exclude('iframe').analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
  expect.soft(found, `${path} for everybody`).toEqual([]);
  expect.soft(troubles.splice(0), `${path} in silence`).toEqual([]);
}

/** The page itself is there, and nothing stands in for something else any more. */
async function settled(page: Page, path: string) {
  const frame = path === nowhere ? page : page.locator(`[data-page="${routeName(path)}"]`);
  await expect(frame.getByRole('main')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
  await expect(page.locator('[data-skeleton]')).toHaveCount(0);
}
