import { expect, type Page } from '@playwright/test';
import { seed } from './people.ts';
import { signIn } from './screens.ts';
import { signInQuietly } from './stock.ts';
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
  expect(troubles).toEqual([]);
});

function figure(page: Page, label: string) {
  return page
    .locator('dt')
    .filter({ hasText: new RegExp(`^${label}$`) })
    .locator('xpath=following-sibling::*[1]');
}

function statement(page: Page) {
  return page.getByRole('list', { name: 'Funding details' });
}
