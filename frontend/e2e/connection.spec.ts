import { expect, type Page } from '@playwright/test';
import { test } from './test.ts';

/** When the server dies in the middle of a form, the input survives and the retry counts once. */
test('a lost connection keeps what was typed', async ({ page, installation }) => {
  await installation.staff(null, 'demo', 'seed');
  await installation.start();
  await page.goto(`${installation.base}/#/login`);
  await page.getByLabel('Username').fill('demo');
  await page.getByLabel('Password', { exact: true }).fill('demo-password');
  await installation.kill();
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page.getByText(/No connection/).first()).toBeVisible();
  await expect(page.getByLabel('Username')).toHaveValue('demo');
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue('demo-password');
  await installation.start();
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page).toHaveURL(/#\/ad-center/);

  await page.goto(`${installation.base}/#/plan/goods-detail?id=1`);
  await page.getByRole('button', { name: 'Put amount' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Amount', { exact: true }).fill('25.00');
  await dialog.getByRole('button', { name: 'Put amount' }).click();
  // The password check succeeds. The connection is lost on the put itself.
  await page.route('**/api/plan/order/put', (route) => route.abort(), { times: 1 });
  await page.getByLabel('Enter your 6 digits').fill('123456');
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText(/connection was lost/i).first()).toBeVisible();
  await expect(dialog.getByLabel('Amount', { exact: true })).toHaveValue('25.00');
  await dialog.getByRole('button', { name: 'Put amount' }).click();
  await page.getByLabel('Enter your 6 digits').fill('123456');
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page).toHaveURL(/#\/plan\/detail/);
  await page.goto(`${installation.base}/#/wallet`);
  await expect(page.getByText('$9,975.00').first()).toBeVisible();
});

/** The notice has to work without any script. */
test('says when no script comes, and how to try again', async ({ browser, page, installation }) => {
  await installation.start();
  const notice = (one: Page) => one.getByText('Placard has not loaded yet.');
  await page.route('**/assets/*.js', (route) => route.abort());
  await page.goto(`${installation.base}/#/login`);
  await expect(notice(page)).toHaveCSS('visibility', 'hidden');
  const waited = (seconds: number) =>
    page.evaluate((time) => {
      for (const animation of document.getAnimations()) animation.currentTime = time;
    }, seconds * 1000);
  await waited(14);
  await expect(notice(page)).toHaveCSS('visibility', 'hidden');
  await waited(15);
  await expect(notice(page)).toBeVisible();
  await expect(page.locator('body noscript')).toBeHidden();
  await page.unrouteAll();
  await page.getByRole('link', { name: 'Reload' }).click();
  await expect(page.getByLabel('Username')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Reload' })).toHaveCount(0);

  const plain = await browser.newPage({ javaScriptEnabled: false });
  await plain.goto(installation.base);
  await expect(notice(plain)).toBeVisible();
  await expect(plain.locator('body noscript')).toBeVisible();
  await plain.close();
});

/** Modules that such a browser cannot read do not run; a script for it does. */
test('tells a browser that is too old, in its language', async ({ browser, installation }) => {
  await installation.start();
  const page = await browser.newPage({ locale: 'th-TH' });
  await page.addInitScript(() => Reflect.deleteProperty(Object, 'hasOwn'));
  await page.route('**/assets/first*.js', (route) => route.abort());
  await page.goto(`${installation.base}/#/login`);
  await expect(page.getByRole('status')).toHaveText(/^เบราว์เซอร์นี้เก่าเกินไป/);
  await expect(page.getByRole('status')).toBeVisible();
  await page.close();
});

/** Without a worker's cache, as on a first visit. */
test('a page that was never opened says why, and opens once the connection is back', async ({
  page,
  context,
  installation,
}) => {
  await installation.staff(null, 'demo', 'seed');
  await installation.start();
  await page.goto(`${installation.base}/#/login`);
  await page.getByLabel('Username').fill('demo');
  await page.getByLabel('Password', { exact: true }).fill('demo-password');
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page).toHaveURL(/#\/ad-center/);
  const tabs = page.getByRole('navigation', { name: 'Main pages' });
  await expect(tabs).toBeVisible();

  await context.setOffline(true);
  await tabs.getByRole('link', { name: 'Wallet' }).click();
  await expect(page.getByText(/this page is not saved on this device yet/)).toBeVisible();
  await tabs.getByRole('link', { name: 'Ad center' }).click();
  await expect(page.getByRole('heading', { name: 'Ad center', level: 1 })).toBeFocused();
  await page.setViewportSize({ width: 1280, height: 800 });
  const notice = await page
    .getByRole('status')
    .filter({ hasText: /No connection/ })
    .boundingBox();
  const age = await page.getByRole('button', { name: /As of/ }).boundingBox();
  expect(age?.y, 'below the notice').toBeGreaterThanOrEqual(
    (notice?.y ?? 0) + (notice?.height ?? 0),
  );
  await page.setViewportSize({ width: 375, height: 812 });
  await tabs.getByRole('link', { name: 'Wallet' }).click();
  await expect(page.getByText(/this page is not saved on this device yet/)).toBeVisible();

  await context.setOffline(false);
  await expect(page.getByText('Total assets')).toBeVisible();
  // With its style sheet, which failed as well.
  const styled = page.locator('main section').first();
  await expect(styled).toHaveCSS('border-radius', /[1-9]/);
});
