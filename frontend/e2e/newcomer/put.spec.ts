import { expect, type Page } from '@playwright/test';
import { seed, signIn } from '../people.ts';
import { test } from '../test.ts';

async function openSheet(page: Page, base: string) {
  await page.goto(`${base}/#/ad-center`);
  await page
    .getByRole('main')
    .getByRole('link', { name: /Aurora Coffee/ })
    .click();
  await page.getByRole('button', { name: 'Put amount' }).click();
  const sheet = page.getByRole('dialog', { name: 'Put amount' });
  await expect(sheet.getByLabel('Amount', { exact: true })).toBeVisible();
  return sheet;
}

test.describe('by touch, on a small phone', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 320, height: 568 } });

  test('the button is in reach, and what is wrong comes into view', async ({
    page,
    installation,
  }) => {
    const { user } = await seed(installation);
    await installation.start();
    await signIn(page, installation.base, user.username, user.password);
    const sheet = await openSheet(page, installation.base);
    const amount = sheet.getByLabel('Amount', { exact: true });
    const put = sheet.getByRole('button', { name: 'Put amount' });

    await test.step('in reach at the top and at the end of the form', async () => {
      await expect(put).toBeInViewport({ ratio: 1 });
      await sheet.getByRole('switch').last().scrollIntoViewIfNeeded();
      await expect(amount).not.toBeInViewport();
      await expect(put).toBeInViewport({ ratio: 1 });
    });

    await test.step('an empty amount is shown where it is missing', async () => {
      await put.tap();
      await expect(sheet.getByText('Cannot be empty')).toBeInViewport();
      await expect(amount).toBeFocused();
    });

    await test.step('a common amount, and what it pays for', async () => {
      const [quick] = await sheet
        .getByRole('group', { name: 'Common amounts' })
        .getByRole('button')
        .all();
      await quick?.tap();
      await expect(sheet.getByText('Cannot be empty')).toHaveCount(0);
      await expect(sheet.getByText(/^at most [\d,]+$/)).toBeVisible();
      await expect(sheet.getByText(/^Conversions needed: \d+$/)).toBeVisible();
    });
  });
});

test('by keyboard: told while typing, and sent from the field', async ({ page, installation }) => {
  const { user } = await seed(installation);
  await installation.start();
  await signIn(page, installation.base, user.username, user.password);
  const sheet = await openSheet(page, installation.base);
  const amount = sheet.getByLabel('Amount', { exact: true });
  await amount.focus();
  await page.keyboard.type('999999');
  await expect(sheet.getByText(/Investment amount out of range/)).toBeVisible();
  await expect(amount).toHaveAttribute('aria-invalid', 'true');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Transaction password' })).toHaveCount(0);
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('100');
  await expect(sheet.getByText(/Investment amount out of range/)).toHaveCount(0);
  await expect(sheet.getByText(/^Conversions needed: \d+$/)).toBeVisible();
  await page.keyboard.press('Enter');
  const password = page.getByRole('dialog', { name: 'Transaction password' });
  await expect(password).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(password).toHaveCount(0);
  await expect(amount).toHaveValue('100');
});
