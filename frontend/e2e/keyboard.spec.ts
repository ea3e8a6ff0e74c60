import { expect } from '@playwright/test';
import { seed, signIn, tronAddress } from './people.ts';
import { settled } from './screens.ts';
import { confirm, follow, press, reach, type } from './steps/keys.ts';
import { told } from './steps/waiting.ts';
import { test } from './test.ts';
import { watch } from './watch.ts';

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
    const saved = told(page, 'Transaction password saved');
    for (const button of ['Next', 'Save password']) {
      await type(page, page.getByLabel('Enter your 6 digits'), '582913');
      await press(page, page.getByRole('button', { name: button }));
    }
    await saved;
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
    await type(page, page.getByLabel('Address', { exact: true }), tronAddress);
    await press(page, page.getByRole('button', { name: 'Add', exact: true }));
    await Promise.all([told(page, 'Saved'), confirm(page, '582913')]);
    await page.goto(`${base}/#/wallet/withdraw`);
    await type(page, page.getByLabel('Amount', { exact: true }), '50.00');
    await press(page, page.getByRole('button', { name: 'Withdraw', exact: true }));
    await confirm(page, '582913');
    await expect(page.getByText('Withdrawal requested')).toBeVisible();
  });

  expect(troubles).toEqual([]);
});

test('what the keyboard comes to is never below a bar', async ({ page, installation }) => {
  const { user } = await seed(installation);
  await installation.start();
  await page.setViewportSize({ width: 375, height: 700 });
  await signIn(page, installation.base, user.username, user.password);
  /** Whether what has the focus can be seen, or is out of sight for everybody. */
  const isSeen = () =>
    page.evaluate(() => {
      const focused = document.activeElement;
      // Past the last one.
      if (focused === document.body) return true;
      const { left, top, width, height } = focused?.getBoundingClientRect() ?? new DOMRect();
      const above = document.elementFromPoint(left + width / 2, top + height / 2);
      return (
        width <= 1 || !above?.closest('header, nav') || Boolean(focused?.closest('header, nav'))
      );
    });
  for (const path of ['/me', '/ad-center']) {
    await page.goto(`${installation.base}/#${path}`);
    await settled(page, path);
    for (const key of ['Tab', 'Shift+Tab']) {
      for (let presses = 0; presses < 30; presses += 1) {
        await page.keyboard.press(key);
        expect(await isSeen(), `${path}, ${key} ${presses}`).toBe(true);
      }
    }
  }
});
