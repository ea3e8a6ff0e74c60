import { expect, type Page } from '@playwright/test';
import { seed, signIn } from '../people.ts';
import { test } from '../test.ts';

test.use({ viewport: { width: 375, height: 667 } });

/** The field that is wrong has the focus, and is seen with what is wrong. */
async function expectShown(page: Page, label: string) {
  const field = page.getByLabel(label, { exact: true });
  await expect(field).toBeFocused();
  await expect(field).toBeInViewport();
  await expect(page.getByText('Cannot be empty').first()).toBeInViewport();
}

test('a long form brings the first field that is missing into view', async ({
  page,
  installation,
}) => {
  const { user } = await seed(installation);
  await installation.start();
  const { base } = installation;

  await test.step('register', async () => {
    await page.goto(`${base}/#/register`);
    await page.getByLabel('Password', { exact: true }).fill('a-good-passphrase');
    await page.getByLabel('Repeat password').fill('a-good-passphrase');
    await page.getByLabel('Email').fill('mia@example.com');
    await page.getByLabel('Phone').fill('+49 170 1234567');
    await page.getByLabel('Authorization code').fill('ABCD-1234');
    await page.getByRole('button', { name: 'Create account' }).click();
    const username = page.getByLabel('Username');
    await expect(username).toBeFocused();
    await expect(username).toBeInViewport();
  });

  await signIn(page, base, user.username, user.password);

  await test.step('bind an account', async () => {
    await page.goto(`${base}/#/wallet/bind-card`);
    await page.getByRole('tab', { name: 'Bank account' }).click();
    await page.getByLabel('Name for this account').fill('');
    await page.getByLabel('Account number').fill('40001234321');
    await page.getByLabel('Bank address (optional)').fill('Hamburg');
    await page.getByRole('button', { name: /^(Add|Replace)$/ }).click();
    await expectShown(page, 'Name for this account');
  });

  await test.step('put a plan', async () => {
    await page.goto(`${base}/#/ad-center`);
    await page
      .getByRole('main')
      .getByRole('link', { name: /Aurora Coffee/ })
      .click();
    await page.getByRole('button', { name: 'Put amount' }).click();
    const sheet = page.getByRole('dialog', { name: 'Put amount' });
    await sheet.getByRole('switch').last().scrollIntoViewIfNeeded();
    await sheet.getByRole('button', { name: 'Put amount' }).click();
    await expectShown(page, 'Amount');
  });

  await test.step('pay a deposit in', async () => {
    await page.goto(`${base}/#/wallet/deposit`);
    await page.getByRole('button', { name: 'Pay in', exact: true }).click();
    await expectShown(page, 'Amount');
  });
});
