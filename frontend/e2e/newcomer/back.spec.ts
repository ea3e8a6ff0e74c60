import { expect, type Page } from '@playwright/test';
import { seed, signIn } from '../people.ts';
import { test } from '../test.ts';

const at = (page: Page, path: string) => expect(page).toHaveURL(new RegExp(`#${path}$`));

test.describe('by touch', () => {
  test.use({ hasTouch: true, isMobile: true });

  test('back closes what lies over the page, then leads to the ad center', async ({
    page,
    installation,
  }) => {
    const { user } = await seed(installation);
    await installation.start();
    const { base } = installation;
    await signIn(page, base, user.username, user.password);

    await test.step('from the first page: a sheet, and the dialog of customer service', async () => {
      await page.goto('about:blank');
      await page.goto(`${base}/#/ad-center`);
      await page.getByRole('button', { name: 'Start a plan' }).tap();
      await expect(page.getByRole('dialog', { name: 'Choose a product' })).toBeVisible();
      await page.goBack();
      await expect(page.getByRole('dialog')).toHaveCount(0);
      await at(page, '/ad-center');
      await page.getByRole('button', { name: 'Online service' }).tap();
      await expect(page.getByRole('dialog', { name: 'Customer service' })).toBeVisible();
      await page.goBack();
      await expect(page.getByRole('dialog')).toHaveCount(0);
      await at(page, '/ad-center');
    });

    await test.step('a link in a sheet leads on, and back to the sheet', async () => {
      await page.getByRole('button', { name: 'Start a plan' }).tap();
      const sheet = page.getByRole('dialog', { name: 'Choose a product' });
      await sheet.getByRole('link', { name: /Aurora Coffee/ }).tap();
      await expect(page.getByRole('button', { name: 'Put amount' })).toBeVisible();
      await page.goBack();
      await expect(sheet).toBeVisible();
      await page.goBack();
      await expect(sheet).toHaveCount(0);
      await at(page, '/ad-center');
    });

    await test.step('from every tab to the ad center, whatever came before', async () => {
      const tabs = page.getByRole('navigation', { name: 'Main pages' });
      for (const [name, path] of [
        ['Plans', '/plan'],
        ['Wallet', '/wallet'],
        ['Me', '/me'],
      ] as const) {
        await tabs.getByRole('link', { name }).tap();
        await at(page, path);
        await expect(page.locator(`[data-page="${path.slice(1)}"]`)).toBeAttached();
      }
      await page.goBack();
      await at(page, '/ad-center');
    });

    await test.step('from a tab that was opened by its address', async () => {
      await page.goto('about:blank');
      await page.goto(`${base}/#/wallet`);
      await expect(page.getByRole('region', { name: 'Total assets' })).toBeVisible();
      // The ad center is put below just after the page is drawn.
      await expect.poll(() => page.evaluate(() => window.history.state?.idx)).toBe(1);
      await page.goBack();
      await at(page, '/ad-center');
      await page.goBack();
      await expect(page).toHaveURL('about:blank');
    });
  });
});

test('by keyboard: Esc closes, and the browser’s Back finds no empty step', async ({
  page,
  installation,
}) => {
  const { user } = await seed(installation);
  await installation.start();
  await signIn(page, installation.base, user.username, user.password);
  await page.goto('about:blank');
  await page.goto(`${installation.base}/#/ad-center`);
  const start = page.getByRole('button', { name: 'Start a plan' });
  await start.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(start).toBeFocused();
  await test.step('Back closes as well, and the page below stays as it is', async () => {
    await page.getByRole('link', { name: 'Plans', exact: true }).press('Enter');
    const filters = page.getByRole('button', { name: 'Filters' });
    await filters.press('Enter');
    await expect(page.getByRole('dialog')).toBeVisible();
    await page.goBack();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(filters).toBeFocused();
    await page.goBack();
  });
  await expect(start).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL('about:blank');
});
