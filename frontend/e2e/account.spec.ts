import { readFile } from 'node:fs/promises';
import { expect } from '@playwright/test';
import { Person, seed, signIn } from './people.ts';
import { told } from './steps/waiting.ts';
import { test } from './test.ts';
import { watch } from './watch.ts';

/** The user's own account: profile, picture, passwords, devices, data export, and closing it. */
test('an account is looked after and closed', async ({ page, installation }) => {
  const { codes } = await seed(installation);
  await installation.start();
  const { base } = installation;
  await Person.register(base, 'mia', codes[0] ?? '');
  await signIn(page, base, 'mia', 'a-good-passphrase');
  const troubles = watch(page, base);

  await test.step('edits the profile', async () => {
    await page.goto(`${base}/#/me/profile`);
    await page.getByLabel('Nickname').fill('Mia M.');
    await page.getByLabel('Phone').fill('12');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect(page.getByLabel('Phone')).toHaveAttribute('aria-invalid', 'true');
    await page.getByLabel('Phone').fill('+49 170 7654321');
    await Promise.all([
      told(page, 'Profile saved'),
      page.getByRole('button', { name: 'Save changes' }).click(),
    ]);
  });

  await test.step('cuts out and saves a picture, and no text file', async () => {
    const input = page.locator('input[type=file]');
    await input.setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('a') });
    await expect(page.getByText('Please select an image file')).toBeVisible();
    await input.setInputFiles({
      name: 'a.png',
      mimeType: 'image/png',
      buffer: await picture(page),
    });
    await Promise.all([
      told(page, 'Picture saved'),
      page.getByRole('button', { name: 'Use this picture' }).click(),
    ]);
    await page.goto(`${base}/#/me`);
    await expect(page.getByText('Mia M.')).toBeVisible();
    await expect(page.locator('img[src^="/files/"]').first()).toBeVisible();
  });

  await test.step('sets a transaction password and changes it with the old one', async () => {
    await page.goto(`${base}/#/ad-center/edit-pay-password`);
    await save('582913', '582913');
    await page.goto(`${base}/#/me`);
    await page.goto(`${base}/#/ad-center/edit-pay-password`);
    await save('582913', '739164', '739164');
  });

  await test.step('needs it to change how they are reached', async () => {
    await page.goto(`${base}/#/me/profile`);
    await page.getByLabel('Phone').fill('+49 170 1112223');
    await page.getByRole('button', { name: 'Save changes' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog).toContainText('+49 170 1112223');
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await expect(page.getByLabel('Phone')).toHaveValue('+49 170 1112223');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await dialog.getByLabel('Enter your 6 digits').fill('739164');
    await Promise.all([
      told(page, 'Profile saved'),
      dialog.getByRole('button', { name: 'Confirm' }).click(),
    ]);
  });

  await test.step('ends the session of another device', async () => {
    await page.goto(`${base}/#/me/sessions`);
    await expect(page.getByText('This device')).toBeVisible();
    await page.getByRole('button', { name: /^End session/ }).click();
    await expect(page.getByText('1 session ended')).toBeVisible();
    await expect(page.getByText('No other device')).toBeVisible();
  });

  await test.step('takes their data along', async () => {
    await page.goto(`${base}/#/me`);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: /Export my data/ }).click();
    const text = await readFile(await (await download).path(), 'utf8');
    expect(JSON.stringify(JSON.parse(text))).toContain('Mia M.');
    expect(text).not.toContain('argon2');
  });

  await test.step('changes the login password and logs in again', async () => {
    await page.goto(`${base}/#/ad-center/edit-login-password`);
    await page.getByLabel('Old password', { exact: true }).fill('not-the-old-one');
    await page.getByLabel('New password', { exact: true }).fill('another-passphrase');
    await page.getByLabel('Repeat new password').fill('another-passphrase');
    await page.getByRole('button', { name: 'Change password' }).click();
    await expect(page.getByLabel('Old password', { exact: true })).toHaveAttribute(
      'aria-invalid',
      'true',
    );
    await page.getByLabel('Old password', { exact: true }).fill('a-good-passphrase');
    await page.getByRole('button', { name: 'Change password' }).click();
    await expect(page).toHaveURL(/#\/login/);
    await signIn(page, base, 'mia', 'another-passphrase');
  });

  await test.step('closes the account', async () => {
    await page.goto(`${base}/#/me/close`);
    await page.getByLabel('Login password').fill('another-passphrase');
    await page.getByRole('button', { name: 'Close account' }).click();
    await page.getByRole('button', { name: 'Close for good' }).click();
    await expect(page).toHaveURL(/#\/login/);
    await page.getByLabel('Username').fill('mia');
    await page.getByLabel('Password', { exact: true }).fill('another-passphrase');
    await page.getByRole('button', { name: 'Log in' }).click();
    await expect(page.getByRole('dialog').getByText(/cancelled/)).toBeVisible();
  });

  expect(troubles).toEqual([]);

  async function save(...passwords: string[]) {
    const saved = told(page, 'Transaction password saved');
    for (const digits of passwords) {
      await page.getByLabel('Enter your 6 digits').fill(digits);
      await page.getByRole('button', { name: /Next|Save password/ }).click();
    }
    await saved;
  }
});

/** A picture drawn by the browser itself. */
async function picture(page: import('@playwright/test').Page) {
  const url = await page.evaluate(() => {
    const canvas = document.createElement('canvas');
    canvas.width = 320;
    canvas.height = 240;
    const context = canvas.getContext('2d');
    if (context) {
      context.fillStyle = 'teal';
      context.fillRect(0, 0, 320, 240);
    }
    return canvas.toDataURL('image/png');
  });
  return Buffer.from(url.split(',')[1] ?? '', 'base64');
}
