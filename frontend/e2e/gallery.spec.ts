import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import AxeBuilder from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { layoutFaults } from './layout.ts';
import { overflow, watch } from './watch.ts';

const run = promisify(execFile);
const base = 'http://gallery.test';
const look = { theme: 'light', motion: 'reduced', lang: 'de' };
let build: string;

test.use({ trace: 'off', viewport: { width: 320, height: 568 } });

test.beforeAll(async () => {
  build = await mkdtemp(join(tmpdir(), 'placard-gallery-'));
  const config = ['--config', 'gallery/vite.config.ts', '--outDir', build, '--emptyOutDir'];
  await run('npx', ['vite', 'build', ...config], { cwd: resolve(import.meta.dirname, '..') });
});

test.afterAll(() => rm(build, { recursive: true, force: true }));

/** Components that cover the page, one state each. The list of specimens shows them in frames. */
const covering = [
  'Sheet/long text',
  'Dialog/long text',
  'ConfirmDialog/danger',
  'PickerField opened/on a page',
  'TransactionPasswordDialog/opened',
  'SuccessState/plain',
];

/** They stay for two seconds, on a page that is otherwise empty. */
const toasts = ['ToastProvider/long text', 'ToastProvider/with a button and long text'];

test('every component is sound in every state, in both themes and with large text', async ({
  page,
}) => {
  const troubles = watch(page, base);
  await page.route(`${base}/**`, (route) =>
    route.fulfill({ path: join(build, new URL(route.request().url()).pathname) }),
  );
  for (const only of ['', ...covering]) {
    await page.goto(`${base}/specimens.html?${new URLSearchParams({ ...look, only })}`);
    await expect(page.getByRole(only ? 'heading' : 'article').first()).toBeVisible();
    await inspect(page, only || 'the list');
  }
  for (const only of toasts) {
    await page.goto(`${base}/specimens.html?${new URLSearchParams({ ...look, only })}`);
    await expect(page.getByRole('status')).not.toBeEmpty();
    expect.soft(await lost(page), only).toEqual([]);
  }
  expect(troubles).toEqual([]);
});

async function inspect(page: Page, name: string) {
  const root = page.locator(':root');
  expect.soft(await overflow(page), `${name} is wider than the screen`).toBeLessThanOrEqual(0);
  expect.soft(await lost(page), name).toEqual([]);
  expect.soft(await barriers(page), `${name} in light`).toEqual([]);
  await root.evaluate(({ style }) => style.setProperty('color-scheme', 'dark'));
  expect.soft(await barriers(page), `${name} in dark`).toEqual([]);
  await root.evaluate(({ style }) => style.setProperty('font-size', '200%'));
  expect.soft(await overflow(page), `${name} in large text`).toBeLessThanOrEqual(0);
  expect.soft(await cutSegments(page), `${name} in large text`).toEqual([]);
}

/** Segments that are out of sight or end over one another. There is no sign that they can be scrolled to. */
function cutSegments(page: Page) {
  return page.locator('[role=tablist]').evaluateAll((lists) =>
    lists
      .filter((list) => /segments/.test(list.className))
      .flatMap((list) => [list, ...list.querySelectorAll('[role=tab]')])
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)
      .map(({ textContent }) => textContent),
  );
}

/** Text that cannot be read in full. The longest words are made up, so lines may end within them. */
async function lost(page: Page) {
  const faults = await layoutFaults(page);
  return faults
    .filter(({ rule }) => rule !== 'broken word')
    .map(({ rule, element, text }) => `${rule}: ${text} in ${element}`);
}

async function barriers(page: Page) {
  const { violations } = await new AxeBuilder({ page }).exclude('iframe').analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.target} ${nodes[0]?.html}`);
}
