import { expect, type Page } from '@playwright/test';
import { appLanguages } from '../src/i18n/languages.ts';
import { seed } from './people.ts';
import { settled, signIn } from './screens.ts';
import { readAs, signInQuietly } from './stock.ts';
import { test } from './test.ts';
import { watch } from './watch.ts';

const statuses = [
  'Waiting to be put',
  'Matching',
  'Putting',
  'Put failed',
  'Waiting for settlement',
  'Settlement successful',
];

/** A zone in which it is afternoon: soon after midnight, hardly anything has happened today. */
function zoneInTheAfternoon() {
  const ahead = Math.min(15 - new Date().getUTCHours(), 14);
  return ahead === 0 ? 'Etc/GMT' : `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`;
}

test.use({ timezoneId: zoneInTheAfternoon() });

/** What somebody sees who starts the demonstration for the first time. */
test('the demonstration has a past on every screen', async ({ page, installation }) => {
  const { user } = await seed(installation, '--history');
  await installation.start();
  const { base } = installation;
  const troubles = watch(page, base);
  const account = await signInQuietly(base, user.username, user.password);

  await test.step('the ad center shows weeks of delivery', async () => {
    await signIn(page.context(), account);
    await page.goto(`${base}/#/ad-center`);
    await page.getByRole('tab', { name: 'All', exact: true }).click();
    await page.getByRole('button', { name: 'Show as a table' }).click();
    const rows = page.getByRole('table').getByRole('row');
    await expect.poll(() => rows.count()).toBeGreaterThan(80);
    for (const span of ['Today', 'Week', 'Month']) {
      await page.getByRole('tab', { name: span, exact: true }).click();
      await expect(figure(page, 'Impressions')).toHaveText(/[1-9]/);
    }
  });

  await test.step('the ad center is about as tall in every language', async () => {
    for (const lang of appLanguages) {
      await page.evaluate((chosen) => localStorage.setItem('lang', chosen), lang);
      await page.reload();
      await settled(page, '/ad-center');
      await expect(page.locator('dt').nth(12)).toBeVisible();
      expect.soft(await height(page), lang).toBeLessThanOrEqual(1800);
    }
    await page.evaluate(() => localStorage.setItem('lang', 'en'));
    await page.reload();
  });

  await test.step('there are plans in every status', async () => {
    await page.goto(`${base}/#/plan`);
    for (const status of statuses) {
      await page.getByRole('tab', { name: new RegExp(`^${status}`) }).click();
      const plans = page.getByRole('list', { name: 'Plans' });
      await expect(plans.getByRole('listitem').first()).toBeVisible();
    }
  });

  await test.step('a settled plan opens down to its bills', async () => {
    await page.getByRole('list', { name: 'Plans' }).getByRole('link').first().click();
    await expect(page.getByText('Settlement successful').first()).toBeVisible();
    await page.getByRole('link', { name: 'Ad billing' }).click();
    await expect(page).toHaveURL(/#\/wallet\?.*plan/);
    await expect(
      statement(page)
        .getByText(/^Ad billing/)
        .first(),
    ).toBeVisible();
  });

  await test.step('the level was reached, and the wallet knows its months', async () => {
    await page.goto(`${base}/#/ad-center/level`);
    await expect(page.getByText('Level 2').first()).toBeVisible();
    await page.goto(`${base}/#/wallet`);
    await expect(page.getByText('Money in and out by month')).toBeVisible();
    await page.goto(`${base}/#/notification`);
    await expect(page.getByText(/withdrawal/i).first()).toBeVisible();
  });

  await test.step('thirty plans are read in three screens', async () => {
    await page.goto(`${base}/#/plan`);
    const plans = page.getByRole('list', { name: 'Plans' }).getByRole('listitem');
    await expect(plans).toHaveCount(30);
    const last = await plans.last().boundingBox();
    const { height } = page.viewportSize() ?? { height: 0 };
    expect((last?.y ?? 0) + (last?.height ?? 0)).toBeLessThanOrEqual(3 * height);
  });

  await test.step('a plan that runs, with three alerts, is half as tall as it was', async () => {
    const path = '/plan/order/list?status=putting&sort=consumed&order=desc';
    const { items } = await readAs<{ items: { id: string }[] }>(base, account, path);
    const id = items[0]?.id ?? '';
    const rules = [
      { kind: 'budget_used', action: 'tell', amount: null },
      { kind: 'loss', action: 'pause', amount: '90.00' },
      { kind: 'not_shown', action: 'tell', amount: null },
    ];
    const headers = { 'X-CT': account.token };
    const set = await page.request.post(`${base}/api/plan/order/rules`, {
      headers,
      data: { id, rules },
    });
    expect((await set.json()).code).toBe(200);
    await page.goto(`${base}/#/plan/detail?id=${id}`);
    await settled(page, '/plan/detail');
    const alerts = page.getByRole('list', { name: 'Alerts' }).getByRole('listitem');
    await expect(alerts).toHaveCount(3);
    await expect(page.getByRole('heading', { name: 'Over time' })).toBeVisible();
    expect(await height(page)).toBeLessThanOrEqual(4619 / 2);
  });
  expect(troubles).toEqual([]);
});

const height = (page: Page) => page.evaluate(() => document.documentElement.scrollHeight);

function figure(page: Page, label: string) {
  return page
    .locator('dt')
    .filter({ hasText: new RegExp(`^${label}$`) })
    .locator('xpath=following-sibling::*[1]');
}

function statement(page: Page) {
  return page.getByRole('list', { name: 'Funding details' });
}
