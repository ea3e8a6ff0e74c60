import { expect, type Page } from '@playwright/test';
import { seed, signIn } from '../people.ts';
import { rounds } from '../steps/waiting.ts';
import { test } from '../test.ts';

/** A plan that has been shown, so that there are figures and a chart. */
async function withFigures(page: Page, installation: Parameters<typeof seed>[0]) {
  const { user } = await seed(installation);
  await installation.start();
  await signIn(page, installation.base, user.username, user.password);
  await page.getByRole('button', { name: 'Start a plan' }).click();
  await page
    .getByRole('dialog')
    .getByRole('link', { name: /Aurora Coffee/ })
    .click();
  await page.getByRole('button', { name: 'Put amount' }).click();
  const sheet = page.getByRole('dialog', { name: 'Put amount' });
  await sheet.getByLabel('Amount', { exact: true }).fill('100');
  await sheet.getByRole('button', { name: 'Put amount' }).click();
  await page.getByLabel('Enter your 6 digits').fill(user.pay_password);
  await page.getByRole('button', { name: 'Confirm', exact: true }).click();
  await expect(page).toHaveURL(/#\/plan\/detail/);
  await installation.traffic('10', '6');
  await page.goto(`${installation.base}/#/ad-center`);
  await expect(page.getByRole('slider')).toBeVisible(rounds);
}

test.describe('by touch', () => {
  test.use({ hasTouch: true, isMobile: true });

  test('money first, then what came back; the chart says what it is', async ({
    page,
    installation,
  }) => {
    await withFigures(page, installation);
    const order = await page.getByRole('main').evaluate((main) => {
      const text = main.textContent ?? '';
      return [
        'Available funds',
        'Start a plan',
        'Spent today',
        'Profit so far',
        'Running plans',
        'Data overview',
        'Credit score',
      ].map((part) => text.indexOf(part));
    });
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect(Math.min(...order)).toBeGreaterThanOrEqual(0);

    const chart = page.getByRole('slider');
    const headline = page.locator('figure p').first();
    await expect(headline).toContainText('Advertising revenue today');
    const box = await chart.boundingBox();
    if (!box) throw new Error('the chart is not shown');
    // While the finger is down, the headline is the point's.
    const finger = await page.context().newCDPSession(page);
    const touch = (type: string, points: { x: number; y: number }[]) =>
      finger.send('Input.dispatchTouchEvent', { type: type as 'touchStart', touchPoints: points });
    await chart.scrollIntoViewIfNeeded();
    const { x, y } = (await chart.boundingBox()) ?? box;
    await touch('touchStart', [{ x: x + 8, y: y + 40 }]);
    await expect(headline).not.toContainText('Advertising revenue today');
    await touch('touchEnd', []);
    await expect(headline).toContainText('Advertising revenue today');
  });
});

test('by keyboard: a chart with a scale, read point by point', async ({ page, installation }) => {
  await withFigures(page, installation);
  await page.getByRole('tab', { name: 'Impressions' }).click();
  const chart = page.getByRole('slider');
  const headline = page.locator('figure p').first();
  await expect(headline).toContainText('Impressions today');
  await expect(page.locator('figure [class*=marks] span').last()).toHaveText('0');
  await chart.focus();
  await page.keyboard.press('Home');
  await expect(headline).not.toContainText('Impressions today');
  await expect(chart).toHaveAttribute('aria-valuenow', '0');
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(chart).toBeFocused();
});
