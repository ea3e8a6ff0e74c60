import { rm } from 'node:fs/promises';
import { expect, type Page, test } from '@playwright/test';
import { routes } from '../src/app/routes.ts';
import { Installation } from './installation.ts';
import {
  answerForContacts,
  buildApp,
  nowhere,
  openPaths,
  serveBuild,
  settled,
  signIn,
} from './screens.ts';
import { type Account, queriesFor, signInQuietly } from './stock.ts';
import { overflow } from './watch.ts';

let installation: Installation;
let account: Account;
let queries: Awaited<ReturnType<typeof queriesFor>>;
let build: string;

test.use({ trace: 'off' });

test.beforeAll(async () => {
  build = await buildApp('vite.pseudo.config.ts');
  installation = await Installation.create();
  await installation.staff(null, 'demo', 'seed');
  await installation.start();
  account = await signInQuietly(installation.base, 'demo', 'demo-password');
  queries = await queriesFor(installation.base, account);
});

test.afterAll(async () => {
  await installation?.remove();
  await rm(build, { recursive: true, force: true });
});

test('every screen has room for texts of any language on a narrow phone', async ({ browser }) => {
  const context = await browser.newContext({
    viewport: { width: 320, height: 568 },
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
  });
  await context.addInitScript(() => {
    if (window === window.top) localStorage.setItem('lang', 'en');
  });
  await answerForContacts(context, installation.base);
  await serveBuild(context, installation.base, build);
  const page = await context.newPage();
  for (const path of [...openPaths, nowhere]) await inspect(page, path);
  await signIn(context, account);
  await page.reload();
  const closed = routes.filter((route) => route.needsLogin).map((route) => route.path);
  for (const path of [...closed, '/ad-welcome']) await inspect(page, path);
  await context.close();
});

async function inspect(page: Page, path: string) {
  await page.goto(`${installation.base}/#${path}${queries[path] ?? ''}`);
  await settled(page, path);
  await expect.soft(page.getByText('⟦').first(), `${path} in long texts`).toBeVisible();
  expect.soft(await overflow(page), `${path} is wider than the screen`).toBeLessThanOrEqual(0);
  expect.soft(await cut(page), `${path} cuts texts`).toEqual([]);
}

/**
 * Texts that are larger than their box and cannot be scrolled to. Content that is not ours, such as
 * an address, may end in an ellipsis.
 */
function cut(page: Page) {
  return page.evaluate(() => {
    const found: string[] = [];
    // A font is taller than a tight line of it, and a clipped line is taller than this.
    const slack = 6;
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const isOurs = node.textContent?.includes('⟦');
      const range = document.createRange();
      range.selectNodeContents(node);
      const text = range.getBoundingClientRect();
      if (text.width < 2 || text.height < 2) continue;
      for (let box = node.parentElement; box; box = box.parentElement) {
        const style = getComputedStyle(box);
        const { width, height, left, right, top, bottom } = box.getBoundingClientRect();
        // Text for screen readers only is one pixel large.
        if (width <= 1 || height <= 1) break;
        if (/auto|scroll/.test(style.overflowX + style.overflowY)) break;
        const shortened = style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none';
        if (!isOurs && shortened) break;
        const wide =
          style.overflowX !== 'visible' && (text.right > right + 1 || text.left < left - 1);
        const high =
          style.overflowY !== 'visible' && (text.bottom > bottom + slack || text.top < top - slack);
        if (wide || high) {
          found.push(`${node.textContent} in ${box.tagName} ${box.className}`);
          break;
        }
      }
    }
    return found;
  });
}
