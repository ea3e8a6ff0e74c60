import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import type { Installation } from '../installation.ts';
import { openMarket, read } from '../market.ts';
import { hashed, Person, signIn } from '../people.ts';
import { press, reach, type } from '../steps/keys.ts';
import { founders } from '../steps/staff.ts';
import { reloadUntil } from '../steps/waiting.ts';
import { test } from '../test.ts';
import { overflow, watch } from '../watch.ts';

/** Somebody with 250.00, of which 20.00 are on a plan that was billed three times. */
async function billed(installation: Installation, page: Page) {
  const { admin, finance, code } = await founders(installation);
  await openMarket(installation, admin, finance);
  const { base } = installation;
  const mia = await Person.register(base, 'mia', code);
  const password = hashed('582913');
  await mia.call('/set/password', { password, confirm_password: password });
  const paid = ['recharge', 'request', 'mia', '250.00', '--reference', 'BANK-4711'];
  const { id } = await installation.staff<{ id: string }>(finance, ...paid);
  await installation.staff(admin, 'recharge', 'approve', id);
  const plan = await mia.call<{ id: string; plan_no: string }>('/plan/order/put', {
    product_id: '1',
    amount: '20.00',
    content: 'landing_page',
    password,
  });
  await signIn(page, base, 'mia', 'a-good-passphrase');
  for (let readers = 0; readers < 3; readers += 1) await read(installation);
  await page.goto(`${base}/#/wallet`);
  // A plan is billed every 15 seconds at most.
  const billed = rows(page).filter({ hasText: '-$15.00' });
  await reloadUntil(page, (timeout) => expect(billed).toHaveCount(1, { timeout }));
  return { mia, plan };
}

const rows = (page: Page) =>
  page.getByRole('list', { name: 'Funding details' }).getByRole('button', { name: /\$/ });
const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true });

test.describe('by touch', () => {
  test.use({ hasTouch: true, isMobile: true });

  test('a day of billing opens to its parts, and movements are found again', async ({
    page,
    installation,
  }) => {
    const troubles = watch(page, installation.base);
    const { mia, plan } = await billed(installation, page);

    await test.step('billing is one row, by the product’s name', async () => {
      await expect(rows(page)).toHaveText([
        /^Aurora Coffee.*Ad billing\s+P.*-\$15\.00/,
        /^Aurora Coffee.*Budget set aside\s+P.*-\$20\.00/,
        /^System top-up.*BANK-4711.*\+\$250\.00/,
      ]);
      await rows(page).first().tap();
      const sheet = page.getByRole('dialog', { name: 'Ad billing' });
      const bills = sheet.getByRole('list', { name: 'Charges of the day' }).getByRole('listitem');
      await expect(bills.first()).toBeVisible();
      const amounts = await bills.allInnerTexts();
      const sum = amounts.reduce((all, text) => all + Number(/-\$(.*)/.exec(text)?.[1]), 0);
      expect(sum).toBe(15);
      await expect(sheet.getByText(/^Sum of/).locator('xpath=..')).toContainText('-$15.00');
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(violations.map(({ id }) => id)).toEqual([]);
      await sheet.getByRole('button', { name: 'Close' }).tap();
      await expect(sheet).toHaveCount(0);
    });

    await test.step('money in and out are told apart', async () => {
      await tab(page, 'Money in').tap();
      await expect(rows(page)).toHaveText([/System top-up/]);
      await tab(page, 'Money out').tap();
      await expect(rows(page)).toHaveText([/Budget set aside/]);
      await tab(page, 'All').tap();
      await expect(rows(page)).toHaveCount(3);
    });

    await test.step('a search finds amounts and references', async () => {
      const field = page.getByRole('searchbox');
      for (const [text, found] of [
        ['15,00', [/Ad billing/]],
        ['4711', [/System top-up/]],
        [plan.plan_no.slice(2, 8), [/Ad billing/, /Budget set aside/]],
      ] as const) {
        await field.fill(text);
        await expect(rows(page)).toHaveText([...found]);
      }
      await field.fill('no such thing');
      await expect(page.getByText('Nothing matches')).toBeVisible();
      await page.getByRole('button', { name: 'Clear the search' }).tap();
      await expect(rows(page)).toHaveCount(3);
      await expect(field).toBeFocused();
    });

    await test.step('what comes back is no income', async () => {
      await mia.call('/plan/order/stop', { id: plan.id });
      const refund = tab(page, 'Refund');
      await reloadUntil(page, (timeout) => expect(refund).toBeVisible({ timeout }));
      await expect(page.getByText(/excluding refunds of \$5\.00/)).toBeVisible();
      await expect(page.getByText(/Money in \$250\.00, money out \$15\.00/)).toBeVisible();
      await tab(page, 'Money in').tap();
      await expect(rows(page)).toHaveText([/System top-up/]);
    });

    expect(await overflow(page)).toBeLessThanOrEqual(0);
    expect(troubles).toEqual([]);
  });
});

test('the same by keyboard alone', async ({ page, installation }) => {
  const troubles = watch(page, installation.base);
  await billed(installation, page);

  await test.step('a row opens, and Escape leads back to it', async () => {
    const row = rows(page).first();
    await press(page, row);
    const sheet = page.getByRole('dialog', { name: 'Ad billing' });
    await expect(sheet.getByRole('listitem').first()).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(sheet).toHaveCount(0);
    await expect(row).toBeFocused();
  });

  await test.step('the chips are one stop, moved through by arrows', async () => {
    await page.reload();
    await reach(page, tab(page, 'All'));
    await page.keyboard.press('ArrowRight');
    await expect(tab(page, 'Money in')).toBeFocused();
    await expect(rows(page)).toHaveText([/System top-up/]);
    await page.keyboard.press('Home');
    await expect(rows(page)).toHaveCount(3);
  });

  await test.step('what is typed is searched at once with Enter', async () => {
    await page.reload();
    await type(page, page.getByRole('searchbox'), '250');
    await page.keyboard.press('Enter');
    await expect(rows(page)).toHaveText([/System top-up/]);
    await page.keyboard.press('Tab');
    await expect(page.getByRole('button', { name: 'Clear the search' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('searchbox')).toBeFocused();
    await expect(rows(page)).toHaveCount(3);
  });

  expect(troubles).toEqual([]);
});
