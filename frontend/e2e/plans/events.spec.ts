import { expect, type Page } from '@playwright/test';
import { signIn } from '../screens.ts';
import { follow, press, reach } from '../steps/keys.ts';
import { rounds } from '../steps/waiting.ts';
import { test } from '../test.ts';
import { watch } from '../watch.ts';
import { deliver, phone } from './delivered.ts';

const rows = (page: Page, name: string) => page.getByRole('list', { name }).getByRole('link');

test('goes from a figure down to the bill of one event by touch', async ({
  browser,
  installation,
}) => {
  const { account, plan } = await deliver(installation);
  const page = await phone(browser, account);
  const troubles = watch(page, installation.base);
  await page.goto(`${installation.base}/#/plan/detail?id=${plan}`);
  await page.getByRole('button', { name: 'Impressions' }).tap();
  await page.getByRole('link', { name: 'Every impression' }).tap();
  await expect(rows(page, 'Impressions')).toHaveCount(4);
  await page.getByRole('radio', { name: 'Not counted' }).tap();
  await expect(rows(page, 'Impressions')).toHaveCount(1);
  await expect(rows(page, 'Impressions')).toContainText('Already counted once');
  await page.getByRole('radio', { name: 'Counted', exact: true }).tap();
  await expect(rows(page, 'Impressions')).toHaveCount(3);
  const first = rows(page, 'Impressions').first();
  await expect(first).toContainText('The Daily · news-top');
  await expect(first).toContainText('Mobile phone · Landing page');
  await expect(first).toContainText('$5.00');
  await first.tap();

  const billed = await onItsBill(page);
  const total = page.getByText(/^Billed on/).locator('xpath=..');
  await expect(total).toContainText(`$${5 * billed}.00`);
  await page.getByRole('link', { name: 'All events in this charge' }).tap();
  await expect(rows(page, 'Impressions')).toHaveCount(billed);
  await expect(page.getByRole('button', { name: /Only the events of one line/ })).toBeVisible();
  await page.getByRole('tab', { name: 'Conversions' }).tap();
  await page.getByRole('button', { name: /Only the events of one line/ }).tap();
  await rows(page, 'Conversions').first().tap();
  await expect(page.getByText('order-1')).toBeVisible();
  await page.getByRole('link', { name: /^Click/ }).tap();
  await expect(page.getByText(/pays for the other kind of event/)).toBeVisible();
  await page.getByRole('link', { name: /^Impression/ }).tap();
  await page.getByRole('link', { name: /Paid from your funds/ }).tap();
  const line = page.getByRole('list', { name: 'Funding details' }).getByText('Ad billing');
  await expect(line).toHaveCount(1);
  expect(troubles).toEqual([]);
});

test('does the same by keyboard alone', async ({ page, context, installation }) => {
  const { account, plan } = await deliver(installation);
  await signIn(context, account);
  const troubles = watch(page, installation.base);
  await page.goto(`${installation.base}/#/plan/detail?id=${plan}`);
  await press(page, page.getByRole('button', { name: 'Impressions' }));
  await follow(page, page.getByRole('link', { name: 'Every impression' }), /#\/plan\/events/);
  await reach(page, page.getByRole('tab', { name: 'Impressions', selected: true }));
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('tab', { name: 'Viewable' })).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('tab', { name: 'Clicks' })).toBeFocused();
  await expect(rows(page, 'Clicks')).toHaveCount(1);
  await page.keyboard.press('ArrowLeft');
  await expect(page.getByRole('tab', { name: 'Viewable' })).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await expect(page.getByRole('tab', { name: 'Impressions' })).toBeFocused();
  await reach(page, page.getByRole('radio', { name: 'All' }));
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('radio', { name: 'Counted', exact: true })).toBeChecked();
  await expect(rows(page, 'Impressions')).toHaveCount(3);
  await follow(page, rows(page, 'Impressions').first(), /#\/plan\/event\?/);
  const billed = await onItsBill(page);
  const every = page.getByRole('link', { name: 'All events in this charge' });
  await follow(page, every, /#\/plan\/events\?.*line=/);
  await expect(rows(page, 'Impressions')).toHaveCount(billed);
  await page.goBack();
  await expect(every).toBeFocused();
  expect(troubles).toEqual([]);
});

/** The number of events on the bill, which comes within fifteen seconds: those that were counted by then. */
async function onItsBill(page: Page) {
  const sum = page.getByText(/^[1-3] × \$5\.00$/);
  await expect(sum).toBeVisible(rounds);
  return Number.parseInt(await sum.innerText(), 10);
}
