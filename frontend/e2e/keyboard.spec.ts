import { expect, type Locator, type Page } from '@playwright/test';
import { seed } from './people.ts';
import { test } from './test.ts';
import { watch } from './watch.ts';

/** More controls than this before the next one that is needed would be a page nobody can use. */
const farthest = 60;

/** Without a mouse or a finger: every step by Tab, Enter, Space, arrows and typing. */
test('registers, sets a password, puts and withdraws by keyboard alone', async ({
  page,
  installation,
}) => {
  const { codes, first, second } = await seed(installation);
  await installation.start();
  const troubles = watch(page, installation.base);
  const { base } = installation;

  await test.step('registers', async () => {
    await page.goto(`${base}/#/register`);
    await type(page, page.getByLabel('Username'), 'mia');
    await type(page, page.getByLabel('Password', { exact: true }), 'a-good-passphrase');
    await type(page, page.getByLabel('Repeat password'), 'a-good-passphrase');
    await type(page, page.getByLabel('Email'), 'mia@example');
    await type(page, page.getByLabel('Phone'), '+49 170 1234567');
    await type(page, page.getByLabel('Authorization code'), codes[0] ?? '');
    await press(page, page.getByRole('button', { name: 'Create account' }));
    // What is wrong has the focus, so that it is read and can be mended at once.
    await expect(page.getByLabel('Email')).toBeFocused();
    await page.keyboard.press('End');
    await page.keyboard.type('.com');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/#\/ad-center/);
  });

  await test.step('sets the transaction password', async () => {
    await follow(page, page.getByRole('link', { name: 'Wallet' }), /#\/wallet$/);
    const link = page.getByRole('link', { name: 'Password', exact: true });
    await follow(page, link, /#\/wallet\/set-password/);
    for (const button of ['Next', 'Save password']) {
      await type(page, page.getByLabel('Enter your 6 digits'), '582913');
      await press(page, page.getByRole('button', { name: button }));
    }
    await expect(page.getByText('Transaction password saved')).toBeVisible();
  });

  const paid = ['recharge', 'request', 'mia', '300.00', '--reference', 'KEYBOARD-1'];
  const { id } = await installation.staff<{ id: string }>(first, ...paid);
  await installation.staff(second, 'recharge', 'approve', id);

  await test.step('puts an amount on a product', async () => {
    await page.goto(`${base}/#/ad-center`);
    const product = page.getByRole('link', { name: /Aurora Coffee/ });
    await follow(page, product, /#\/plan\/goods-detail/);
    await press(page, page.getByRole('button', { name: 'Put amount' }));
    const sheet = page.getByRole('dialog', { name: 'Put amount' });
    await expect(sheet).toBeVisible();
    await type(page, sheet.getByLabel('Amount', { exact: true }), '100.00');
    await press(page, sheet.getByRole('button', { name: 'Put amount' }));
    await confirm(page, '582913');
    await expect(page).toHaveURL(/#\/plan\/detail/);
  });

  await test.step('leaves a dialog by Escape, back where it was opened', async () => {
    const stop = page.getByRole('button', { name: 'Stop plan' });
    await press(page, stop);
    await expect(page.getByRole('dialog')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(stop).toBeFocused();
  });

  await test.step('binds an address and withdraws', async () => {
    await page.goto(`${base}/#/wallet/bind-card`);
    await reach(page, page.getByRole('tab', { selected: true }));
    await page.keyboard.press('ArrowRight');
    await expect(page.getByRole('tab', { name: 'Wallet address' })).toBeFocused();
    await page.keyboard.press('Enter');
    await press(page, page.getByLabel('Network'));
    await press(page, page.getByRole('button', { name: 'TRC20' }));
    await expect(page.getByLabel('Network: TRC20')).toBeFocused();
    await type(page, page.getByLabel('Address', { exact: true }), 'TXYZ1234567890abcdef');
    await press(page, page.getByRole('button', { name: 'Bind', exact: true }));
    await confirm(page, '582913');
    await expect(page.getByText('Saved').first()).toBeVisible();
    await page.goto(`${base}/#/wallet/withdraw`);
    await type(page, page.getByLabel('Amount', { exact: true }), '50.00');
    await press(page, page.getByRole('button', { name: 'Withdraw', exact: true }));
    await confirm(page, '582913');
    await expect(page.getByText('Withdrawal requested')).toBeVisible();
  });

  expect(troubles).toEqual([]);
});

/** Tabs to a control, whose focus must be seen. */
async function reach(page: Page, control: Locator) {
  await control.waitFor();
  for (let step = 0; step < farthest; step += 1) {
    const there = await control.evaluate((element) => element === document.activeElement);
    if (there) return seen(control);
    await page.keyboard.press('Tab');
  }
  throw new Error(`${control} is not reached by ${farthest} tabs`);
}

/** The ring may be the control's own, that of the box around it, or of a box beside it. */
async function seen(control: Locator) {
  const ring = await control.evaluate((element) => {
    const around = [element, element.parentElement, element.parentElement?.parentElement];
    const beside = [...(element.parentElement?.querySelectorAll('*') ?? [])];
    return [...around, ...beside].some((box) => {
      if (!box) return false;
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(box);
      return (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow.includes('inset');
    });
  });
  expect(ring, `${control} shows that it has the focus`).toBe(true);
}

async function type(page: Page, field: Locator, text: string) {
  await reach(page, field);
  await page.keyboard.type(text);
}

async function press(page: Page, button: Locator) {
  await reach(page, button);
  await page.keyboard.press('Enter');
}

/** On the page that follows, the focus is somewhere that Tab goes on from. */
async function follow(page: Page, link: Locator, address: RegExp) {
  await press(page, link);
  await expect(page).toHaveURL(address);
}

async function confirm(page: Page, digits: string) {
  const dialog = page.getByRole('dialog', { name: 'Transaction password' });
  await expect(dialog).toBeVisible();
  await type(page, dialog.getByLabel('Enter your 6 digits'), digits);
  await press(page, dialog.getByRole('button', { name: 'Confirm', exact: true }));
}
