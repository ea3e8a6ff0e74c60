import { expect, type Locator, type Page } from '@playwright/test';
import type { Installation } from '../installation.ts';
import { openMarket, read } from '../market.ts';
import { founders } from '../steps/staff.ts';
import { reloadUntil } from '../steps/waiting.ts';
import { test } from '../test.ts';
import { watch } from '../watch.ts';

/** More than this beyond typing would be too much for a newcomer. */
const mostTaps = 12;

const fresh = { hasTouch: true, isMobile: true, viewport: { width: 375, height: 812 } };
test.use(fresh);

/** An installation with one product, one code, and nobody registered. */
async function open(installation: Installation) {
  const { admin, finance, code } = await founders(installation);
  await openMarket(installation, admin, finance);
  return { admin, finance, code };
}

/** Fingers that count. */
function fingers(page: Page) {
  let taps = 0;
  return {
    count: () => taps,
    async tap(target: Locator) {
      await target.tap();
      taps += 1;
    },
    /** Digits on the pad are typing. */
    async digits(text: string) {
      for (const digit of text) {
        await page.getByRole('group', { name: 'Digits' }).getByText(digit, { exact: true }).tap();
      }
    },
  };
}

test('a newcomer comes from the registration to the first view by touch', async ({
  page,
  installation,
}) => {
  const { admin, finance, code } = await open(installation);
  const troubles = watch(page, installation.base);
  const { tap, digits, count } = fingers(page);
  const button = (name: string) => page.getByRole('button', { name, exact: true });

  await page.goto(`${installation.base}/#/register`);
  await page.getByLabel('Username').fill('mia');
  await page.getByLabel('Password', { exact: true }).fill('a-good-passphrase');
  await page.getByLabel('Repeat password').fill('a-good-passphrase');
  await page.getByLabel('Email').fill('mia@example.com');
  await page.getByLabel('Phone').fill('+49 170 1234567');
  // As it is typed on a phone: in small letters.
  await page.getByLabel('Authorization code').fill(` ${code.toLowerCase()} `);
  await tap(button('Create account'));
  await expect(page).toHaveURL(/#\/ad-center/);

  const steps = page.locator('section', { hasText: 'Your first steps' });
  await expect(steps.locator('[aria-current=step]')).toContainText('Add money');
  await tap(steps.getByRole('link', { name: 'See how to pay' }));
  await tap(button('Ask customer service'));
  const service = page.getByRole('dialog');
  await expect(service).toBeVisible();
  const paid = ['recharge', 'request', 'mia', '250.00', '--reference', 'BANK-1'];
  const recharge = await installation.staff<{ id: string }>(finance, ...paid);
  await installation.staff(admin, 'recharge', 'approve', recharge.id);
  // The phone's own Back closes the dialog, and then leads to the steps.
  await page.goBack();
  await expect(service).toHaveCount(0);
  await page.goBack();
  await expect(page).toHaveURL(/#\/ad-center/);
  await page.reload();
  await expect(steps.locator('[aria-current=step]')).toContainText('Set a transaction password');

  await tap(
    page
      .getByRole('region', { name: 'Your money and today' })
      .getByRole('button', { name: 'Start a plan' }),
  );
  await tap(
    page
      .getByRole('dialog', { name: 'Choose a product' })
      .getByRole('link', { name: /Aurora Coffee/ }),
  );
  await tap(button('Put amount'));
  const sheet = page.getByRole('dialog', { name: 'Put amount' });
  await tap(sheet.getByRole('button', { name: '$100', exact: true }));
  await expect(sheet.getByText('at most 20')).toBeVisible();
  await expect(sheet.getByText('Conversions needed: 4')).toBeVisible();
  await tap(sheet.getByRole('button', { name: 'Set transaction password' }));

  await expect(page).toHaveURL(/#\/wallet\/set-password/);
  await digits('582913');
  await expect(page.getByText('Repeat the new password')).toBeVisible();
  await digits('582913');
  await tap(button('Done'));

  // The sheet is open again, with all that was entered.
  await expect(sheet.getByLabel('Amount', { exact: true })).toHaveValue('100');
  await tap(sheet.getByRole('button', { name: 'Put amount' }));
  await digits('582913');
  await tap(button('Confirm'));
  await expect(page).toHaveURL(/#\/plan\/detail/);
  expect(await read(installation)).not.toBeNull();
  await expect(page.getByText('Putting').first()).toBeVisible();
  expect(count()).toBeLessThanOrEqual(mostTaps);

  // With the first view, the steps have done their work.
  await page.goto(`${installation.base}/#/ad-center`);
  // Figures follow within seconds, and the page asks for them every half minute.
  const returns = page.getByText('Your returns');
  await reloadUntil(page, (timeout) => expect(returns).toBeVisible({ timeout }));
  await expect(steps).toHaveCount(0);
  expect(troubles).toEqual([]);
});

test('the steps are put away by keyboard, and stay away', async ({ page, installation }) => {
  const { code } = await open(installation);
  await page.goto(`${installation.base}/#/register`);
  await page.getByLabel('Username').fill('mia');
  await page.getByLabel('Password', { exact: true }).fill('a-good-passphrase');
  await page.getByLabel('Repeat password').fill('a-good-passphrase');
  await page.getByLabel('Email').fill('mia@example.com');
  await page.getByLabel('Phone').fill('+49 170 1234567');
  await page.getByLabel('Authorization code').fill(code);
  await page.keyboard.press('Enter');
  const hide = page.getByRole('button', { name: 'Hide these steps' });
  await expect(hide).toBeVisible();
  await hide.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Your first steps')).toHaveCount(0);
  await page.reload();
  await expect(page.getByText('No delivery in this period')).toBeVisible();
  await expect(page.getByText('Your first steps')).toHaveCount(0);
});
