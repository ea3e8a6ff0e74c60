import { type Browser, expect, type Page } from '@playwright/test';
import type { Installation, Operator } from '../installation.ts';
import { click, openMarket, read, report, see } from '../market.ts';
import { hashed, Person } from '../people.ts';
import { signIn } from '../screens.ts';
import { follow, press, reach } from '../steps/keys.ts';
import { type Account, signInQuietly } from '../stock.ts';
import { test } from '../test.ts';
import { watch } from '../watch.ts';

/** Three views, one of them clicked and converted, and one view sent twice. */
async function deliver(installation: Installation) {
  const add = ['operator', 'add', 'anna', '--role', 'admin', '--reason', 'first operator'];
  const admin = await installation.staff<Operator>(null, ...add);
  const finance = await installation.staff<Operator>(
    admin,
    ...['operator', 'add', 'ben', '--role', 'finance'],
  );
  const advertiser = await openMarket(installation, admin, finance);
  const issue = ['code', 'issue', '--count', '1'];
  const { codes } = await installation.staff<{ codes: string[] }>(admin, ...issue);
  await installation.start();
  const mia = await Person.register(installation.base, 'mia', codes[0] ?? '');
  const paid = ['recharge', 'request', 'mia', '250.00', '--reference', 'BANK-1'];
  const { id } = await installation.staff<{ id: string }>(finance, ...paid);
  await installation.staff(admin, 'recharge', 'approve', id);
  const password = hashed('582913');
  await mia.call('/set/password', { password, confirm_password: password });
  const plan = await mia.call<{ id: string }>('/plan/order/put', {
    product_id: '1',
    amount: '100.00',
    content: 'landing_page',
    password,
  });
  await read(installation);
  const seen = await read(installation);
  const clicked = await read(installation);
  if (!seen || !clicked) throw new Error('no creative');
  await see(seen);
  const clickId = await click(clicked);
  await report(installation, advertiser, { event_id: 'order-1', click_id: clickId });
  const account = await signInQuietly(installation.base, 'mia', 'a-good-passphrase');
  return { account, plan: plan.id };
}

/** A phone: what can be tapped is tapped. */
async function phone(browser: Browser, account: Account) {
  const viewport = { width: 375, height: 812 };
  const context = await browser.newContext({ viewport, hasTouch: true, isMobile: true });
  await signIn(context, account);
  return context.newPage();
}

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
  await expect(rows(page, 'Impressions')).toContainText('Counted once already');
  await page.getByRole('radio', { name: 'Counted', exact: true }).tap();
  await expect(rows(page, 'Impressions')).toHaveCount(3);
  const first = rows(page, 'Impressions').first();
  await expect(first).toContainText('The Daily · news-top');
  await expect(first).toContainText('Mobile phone · Landing page');
  await expect(first).toContainText('$5.00');
  await first.tap();

  // Bills come every fifteen seconds.
  await expect(page.getByText('3 × $5.00')).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText(/^Billed on/).locator('xpath=..')).toContainText('$15.00');
  await page.getByRole('link', { name: 'All events on this bill' }).tap();
  await expect(rows(page, 'Impressions')).toHaveCount(3);
  await expect(page.getByRole('button', { name: /Only the events on one bill/ })).toBeVisible();
  await page.getByRole('tab', { name: 'Conversions' }).tap();
  await page.getByRole('button', { name: /Only the events on one bill/ }).tap();
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
  await reach(page, page.getByRole('tab', { selected: true }));
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('tab', { name: 'Clicks' })).toBeFocused();
  await expect(rows(page, 'Clicks')).toHaveCount(1);
  await page.keyboard.press('ArrowLeft');
  await reach(page, page.getByRole('radio', { name: 'All' }));
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('radio', { name: 'Counted', exact: true })).toBeChecked();
  await expect(rows(page, 'Impressions')).toHaveCount(3);
  await follow(page, rows(page, 'Impressions').first(), /#\/plan\/event\?/);
  await expect(page.getByText('3 × $5.00')).toBeVisible({ timeout: 60_000 });
  const every = page.getByRole('link', { name: 'All events on this bill' });
  await follow(page, every, /#\/plan\/events\?.*line=/);
  await expect(rows(page, 'Impressions')).toHaveCount(3);
  await page.goBack();
  await expect(every).toBeFocused();
  expect(troubles).toEqual([]);
});
