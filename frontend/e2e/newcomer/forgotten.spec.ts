import { expect } from '@playwright/test';
import { Person, seed } from '../people.ts';
import { test } from '../test.ts';

test('a forgotten password is replaced with a code that two people give', async ({
  page,
  installation,
}) => {
  const { codes, first, second } = await seed(installation);
  await installation.start();
  const { base } = installation;
  await Person.register(base, 'mia', codes[0] ?? '');
  const asked = await installation.staff<{ id: string }>(
    first,
    ...['account', 'reset-login-password', 'mia'],
  );
  await installation.staff(second, 'request', 'approve', asked.id);
  const half = async (by: typeof first) =>
    (await installation.show<{ half: string }>(by, 'request', 'show', asked.id)).half;

  await page.goto(`${base}/#/login`);
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  // The login has such a field as well.
  await expect(page.getByRole('heading', { name: 'New password' })).toBeVisible();
  await page.getByLabel('Username').fill('mia');
  await page.getByLabel('One half of the code').fill(await half(first));
  await page.getByLabel('The other half').fill('0000-0000');
  await page.getByLabel('New password', { exact: true }).fill('a-better-passphrase');
  await page.getByLabel('Repeat new password').fill('a-better-passphrase');
  await page.getByRole('button', { name: 'Set new password' }).click();
  await expect(page.getByText('The username or the code is wrong').first()).toBeVisible();
  await expect(page.getByLabel('New password', { exact: true })).toHaveValue('a-better-passphrase');

  await page.getByLabel('The other half').fill(await half(second));
  await page.getByRole('button', { name: 'Set new password' }).click();
  await expect(page).toHaveURL(/#\/login$/);
  // Until the page is there, the field of that name is the one before.
  await expect(page.getByRole('button', { name: 'Log in' })).toBeVisible();
  await page.getByLabel('Username').fill('mia');
  await page.getByLabel('Password', { exact: true }).fill('a-better-passphrase');
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page).toHaveURL(/#\/ad-center/);
});
