import { expect, type Page } from '@playwright/test';
import type { Installation, Operator } from './installation.ts';
import { click, openMarket, read, report } from './market.ts';
import { tronAddress } from './people.ts';
import { founders } from './steps/staff.ts';
import { rounds, told } from './steps/waiting.ts';
import { test } from './test.ts';
import { watch } from './watch.ts';

/**
 * The product from start to end, on a real server: an account is opened, funded by two members of
 * staff, spent on a plan that is served over HTTP, settled, and withdrawn.
 */
test('from the authorization code to the withdrawal', async ({ page, installation }) => {
  const { admin, finance, code } = await founders(installation);
  const advertiser = await openMarket(installation, admin, finance);
  const troubles = watch(page, installation.base);

  await test.step('registers with the code', async () => {
    await page.goto(`${installation.base}/#/register`);
    await page.getByLabel('Username').fill('mia');
    await page.getByLabel('Password', { exact: true }).fill('a-good-passphrase');
    await page.getByLabel('Repeat password').fill('a-good-passphrase');
    await page.getByLabel('Email').fill('mia@example.com');
    await page.getByLabel('Phone').fill('+49 170 1234567');
    await page.getByLabel('Authorization code').fill(code);
    await page.getByRole('button', { name: 'Create account' }).click();
    await expect(page).toHaveURL(/#\/ad-center/);
    await expect(page.getByText('Simulated data – no real money')).toBeVisible();
  });

  await test.step('sets a transaction password', async () => {
    await page.goto(`${installation.base}/#/wallet/set-password`);
    await page.getByLabel('Enter your 6 digits').fill('582913');
    await page.getByRole('button', { name: 'Next' }).click();
    await expect(page.getByText('Repeat the new password')).toBeVisible();
    await page.getByLabel('Enter your 6 digits').fill('582913');
    await Promise.all([
      told(page, 'Transaction password saved'),
      page.getByRole('button', { name: 'Save password' }).click(),
    ]);
  });

  await test.step('is recharged by two people', async () => {
    const recharge = await installation.staff<{ id: string }>(
      finance,
      'recharge',
      'request',
      'mia',
      '250.00',
      '--reference',
      'BANK-1',
    );
    const alone = installation.staff(finance, 'recharge', 'approve', recharge.id);
    await expect(alone).rejects.toThrow(/second_person_needed/);
    await installation.staff(admin, 'recharge', 'approve', recharge.id);
    await page.goto(`${installation.base}/#/wallet`);
    await expect(page.getByText('$250.00').first()).toBeVisible();
    await expect(statement(page).getByText('System top-up')).toBeVisible();
  });

  await test.step('puts 100.00 on a product', async () => {
    await page.goto(`${installation.base}/#/ad-center`);
    await page.getByRole('link', { name: /Aurora Coffee/ }).click();
    await page.getByRole('button', { name: 'Put amount' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Amount', { exact: true }).fill('100.00');
    await dialog.getByRole('button', { name: 'Put amount' }).click();
    await page.getByLabel('Enter your 6 digits').fill('582914');
    await page.getByRole('button', { name: 'Confirm' }).click();
    await expect(page.getByText(/Wrong transaction password/)).toBeVisible();
    await page.getByLabel('Enter your 6 digits').fill('582913');
    await page.getByRole('button', { name: 'Confirm' }).click();
    await expect(page).toHaveURL(/#\/plan\/detail/);
    await expect(page.getByText('Matching').first()).toBeVisible();
  });

  await test.step('is delivered: a slot is answered, seen, clicked, and converts', async () => {
    const served = await read(installation);
    expect(served?.creative.title).toBe('Coffee roasted the day you order');
    await expect(page.getByText('Putting').first()).toBeVisible();
    const clickId = served ? await click(served) : '';
    const sale = { event_id: 'order-1', click_id: clickId };
    expect(await report(installation, advertiser, sale)).toMatchObject({ accepted: true });
    expect(await report(installation, advertiser, sale)).toMatchObject({ duplicate: true });
    await expect(figure(page, 'Conversions')).toHaveText('1');
  });

  await test.step('is billed, finishes and settles', async () => {
    for (let readers = 1; readers < 20; readers += 1) await read(installation);
    expect(await read(installation), 'the budget is used').toBeNull();
    await expect(page.getByText('Settlement successful').first()).toBeVisible(rounds);
    await expect(figure(page, 'Impressions').first()).toHaveText('20');
    await expect(figure(page, 'Consumed').first()).toHaveText('$100.00');
  });

  await test.step('shows in the overview and on the statement', async () => {
    await page.goto(`${installation.base}/#/ad-center`);
    await expect(figure(page, 'Put on plans')).toHaveText('$100.00');
    await expect(figure(page, 'Consumed')).toHaveText('$100.00');
    await expect(figure(page, 'Advertising revenue')).toHaveText('$30.00');
    await expect(figure(page, 'Profit')).toHaveText('-$73.00');
    for (const span of ['Week', 'Month', 'All']) {
      await page.getByRole('tab', { name: span, exact: true }).click();
      await expect(figure(page, 'Put on plans')).toHaveText('$100.00');
    }
    await page.goto(`${installation.base}/#/wallet`);
    await expect(page.getByText('$177.00').first()).toBeVisible();
    for (const kind of ['Settlement', 'Platform fee', 'Ad billing', 'Budget set aside']) {
      await expect(statement(page).getByText(kind).first()).toBeVisible();
    }
  });

  await test.step('asks for a withdrawal, which staff pay', async () => {
    await page.goto(`${installation.base}/#/wallet/bind-card`);
    await page.getByRole('tab', { name: 'Wallet address' }).click();
    await page.getByLabel('Network').click();
    await page.getByRole('button', { name: 'TRC20' }).click();
    await page.getByLabel('Address', { exact: true }).fill(tronAddress);
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByLabel('Enter your 6 digits').fill('582913');
    await Promise.all([told(page, 'Saved'), page.getByRole('button', { name: 'Confirm' }).click()]);
    await page.goto(`${installation.base}/#/wallet/withdraw`);
    await page.getByLabel('Amount', { exact: true }).fill('77.00');
    await page.getByRole('button', { name: 'Withdraw', exact: true }).click();
    await page.getByLabel('Enter your 6 digits').fill('582913');
    await page.getByRole('button', { name: 'Confirm' }).click();
    await expect(page.getByText('Withdrawal requested')).toBeVisible();

    const [asked] = await withdrawals(installation, admin);
    expect(asked).toMatchObject({ amount: '77.00', status: 'pending' });
    await installation.staff(finance, 'withdrawal', 'approve', asked?.id ?? '');
    const alone = installation.staff(finance, 'withdrawal', 'pay', asked?.id ?? '');
    await expect(alone).rejects.toThrow(/second_person_needed/);
    await installation.staff(admin, 'withdrawal', 'pay', asked?.id ?? '');
    await page.reload();
    await expect(page.getByText('Paid', { exact: true })).toBeVisible();
  });

  await test.step('every law of the ledger holds', async () => {
    expect(await installation.staff(null, 'ledger', 'verify')).toMatchObject({ ok: true });
    expect(await installation.staff(null, 'delivery', 'recompute')).toMatchObject({ ok: true });
  });

  await test.step('logs out', async () => {
    await page.goto(`${installation.base}/#/ad-center`);
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Log out' }).click();
    await expect(page).toHaveURL(/#\/login/);
    expect(await page.evaluate(() => localStorage.getItem('fb_token'))).toBeNull();
  });

  expect(troubles).toEqual([]);
});

/** The value next to a label. */
function figure(page: Page, label: string) {
  return page
    .locator('dt, th, [class*=label]')
    .filter({ hasText: new RegExp(`^${label}$`) })
    .locator('xpath=following-sibling::*[1]');
}

function statement(page: Page) {
  return page.getByRole('list', { name: 'Funding details' });
}

type Withdrawal = { id: string; amount: string; status: string };

function withdrawals(installation: Installation, by: Operator) {
  return installation.list<Withdrawal>(by, 'withdrawal', 'list');
}
