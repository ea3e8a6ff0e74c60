import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import type { Installation } from '../installation.ts';
import { layoutFaults } from '../layout.ts';
import { confirmWith, tronAddress } from '../people.ts';
import { confirm, press, reach } from '../steps/keys.ts';
import { founders } from '../steps/staff.ts';
import { told } from '../steps/waiting.ts';
import { test } from '../test.ts';
import { watch } from '../watch.ts';

const pin = '582913';

async function staffed(installation: Installation) {
  const staff = await founders(installation);
  await installation.start();
  return staff;
}

/** Registers on the page. The code is typed as somebody might read it out. */
async function register(page: Page, base: string, code: string) {
  await page.goto(`${base}/register`);
  await expect(page).toHaveURL(`${base}/#/register`);
  await page.getByLabel('Username').fill('mia');
  await page.getByLabel('Password', { exact: true }).fill('a-good-passphrase');
  await page.getByLabel('Repeat password').fill('a-good-passphrase');
  await page.getByLabel('Email').fill('mia@example.com');
  await page.getByLabel('Phone').fill('+49 170 1234567');
  await page.getByLabel('Authorization code').fill(` ${code.toLowerCase().replaceAll('-', '  ')} `);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page).toHaveURL(/#\/ad-center/);
}

async function setPin(page: Page, base: string) {
  await page.goto(`${base}/#/wallet/set-password`);
  const saved = told(page, 'Transaction password saved');
  for (const next of ['Next', 'Save password']) {
    await page.getByLabel('Enter your 6 digits').fill(pin);
    await page.getByRole('button', { name: next }).click();
  }
  await saved;
}

async function bindAddress(page: Page, base: string) {
  await page.goto(`${base}/#/wallet/bind-card`);
  await page.getByRole('tab', { name: 'Wallet address' }).click();
  await page.getByLabel('Network').click();
  await page.getByRole('button', { name: 'TRC20' }).click();
  await page.getByLabel('Address', { exact: true }).fill(tronAddress);
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await Promise.all([told(page, 'Saved'), confirmWith(page, pin)]);
}

async function sound(page: Page) {
  expect(await layoutFaults(page)).toEqual([]);
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
}

test.use({ hasTouch: true });

test('a withdrawal is taken back while nobody has approved it, and a notice leads to it', async ({
  page,
  installation,
}) => {
  const { admin, finance, code } = await staffed(installation);
  const { base } = installation;
  const troubles = watch(page, base);
  await register(page, base, code);
  const paid = ['recharge', 'request', 'mia', '250.00', '--reference', 'BANK-4711'];
  const { id } = await installation.staff<{ id: string }>(finance, ...paid);
  await installation.staff(admin, 'recharge', 'approve', id);
  await setPin(page, base);
  await bindAddress(page, base);
  const amount = page.getByLabel('Amount', { exact: true });
  const send = page.getByRole('button', { name: 'Withdraw', exact: true });
  const cancel = page.getByRole('button', { name: 'Cancel withdrawal' });

  await test.step('an address without its # leads to the page', async () => {
    await page.goto(`${base}/wallet/withdraw`);
    await expect(page).toHaveURL(`${base}/#/wallet/withdraw`);
    await expect(page.getByText(/How long it takes/)).toBeVisible();
  });

  await test.step('by touch: asked for and taken back', async () => {
    await amount.fill('40.00');
    await send.tap();
    await confirmWith(page, pin);
    await cancel.tap();
    await sound(page);
    await Promise.all([
      told(page, 'Withdrawal cancelled'),
      page.getByRole('dialog').getByRole('button', { name: 'Cancel withdrawal' }).tap(),
    ]);
    await expect(page.getByText('Cancelled', { exact: true })).toBeVisible();
    await expect(page.getByText('Available: $250.00')).toBeVisible();
  });

  await test.step('by keyboard: the same', async () => {
    await page.reload();
    await amount.fill('30.00');
    await press(page, send);
    await confirm(page, pin);
    await press(page, cancel);
    const dialog = page.getByRole('dialog');
    await reach(page, dialog.getByRole('button', { name: 'Cancel withdrawal' }));
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await press(page, cancel);
    await press(page, dialog.getByRole('button', { name: 'Cancel withdrawal' }));
    await expect(page.getByText('Cancelled', { exact: true })).toHaveCount(2);
    await expect(page.getByText('Available: $250.00')).toBeVisible();
  });

  await test.step('once approved, it is not taken back; once rejected, the notice leads here', async () => {
    await amount.fill('20.00');
    await send.tap();
    await confirmWith(page, pin);
    await expect(cancel).toBeVisible();
    const listed = await installation.list<{ id: string; status: string }>(
      admin,
      'withdrawal',
      'list',
    );
    const open = listed.find(({ status }) => status === 'pending')?.id ?? '';
    await installation.staff(finance, 'withdrawal', 'approve', open);
    await cancel.tap();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel withdrawal' }).tap();
    await expect(page.getByText(/approved in the meantime/)).toBeVisible();
    const back = await installation.staff<{ id: string }>(admin, 'withdrawal', 'reject', open);
    await installation.staff(finance, 'request', 'approve', back.id);
    await page.goto(`${base}/#/notification`);
    await page.getByRole('button', { name: /withdrawal.*rejected/i }).tap();
    await sound(page);
    await page.getByRole('link', { name: 'See your withdrawals' }).tap();
    await expect(page).toHaveURL(/#\/wallet\/withdraw/);
    await expect(page.getByText('Reason: end-to-end test')).toBeVisible();
  });

  expect(troubles).toEqual([]);
});
