import { expect } from '@playwright/test';
import { confirmWith, hashed, Person, seed, signIn } from './people.ts';
import { test } from './test.ts';
import { watch } from './watch.ts';

/** A coupon is received and lowers the price of a plan, and VIP lowers its fee. */
test('coupons and VIP are worth what they say', async ({ page, installation }) => {
  const { codes, first, second } = await seed(installation);
  await installation.start();
  const { base } = installation;
  const mia = await Person.register(base, 'mia', codes[0] ?? '');
  const password = hashed('582913');
  await mia.call('/set/password', { password, confirm_password: password });
  const recharge = await installation.staff<{ id: string }>(
    first,
    ...['recharge', 'request', 'mia', '500.00', '--reference', 'BANK-OFFERS'],
  );
  await installation.staff(second, 'recharge', 'approve', recharge.id);
  await signIn(page, base, 'mia', 'a-good-passphrase');
  const troubles = watch(page, base);

  await test.step('receives the newcomer coupon once', async () => {
    await page.goto(`${base}/#/ad-center/activities`);
    await page.getByRole('button', { name: 'Claim coupon' }).click();
    await expect(page.getByText('Received', { exact: true })).toBeVisible();
    await page.reload();
    await expect(page.getByText('Received', { exact: true })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Claim coupon' })).toHaveCount(0);
  });

  await test.step('subscribes to VIP at the price that was shown', async () => {
    await page.goto(`${base}/#/ad-center/level`);
    await expect(page.getByText('Your shop level')).toBeVisible();
    await page.getByRole('button', { name: /^Get VIP for/ }).click();
    await confirmWith(page, '582913');
    await expect(page.getByRole('button', { name: /^Extend for/ })).toBeVisible();
    await page.goto(`${base}/#/wallet`);
    await expect(page.getByText('VIP subscription').first()).toBeVisible();
  });

  await test.step('puts with the coupon: the price is shown before it is paid', async () => {
    await page.goto(`${base}/#/plan/goods-detail?id=1`);
    await page.getByRole('button', { name: 'Put amount' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Amount', { exact: true }).fill('100.00');
    await expect(dialog.getByText(/Coupon/).first()).toBeVisible();
    const before = await mia.call<{ best: string | null }>('/plan/order/quote', {
      product_id: '1',
      amount: '100.00',
    });
    expect(before.best).not.toBeNull();
    await dialog.getByRole('button', { name: 'Put amount' }).click();
    await confirmWith(page, '582913');
    await expect(page).toHaveURL(/#\/plan\/detail/);
  });

  await test.step('finds the coupon among the used ones', async () => {
    await page.goto(`${base}/#/ad-center/coupons`);
    await page.getByRole('tab', { name: 'Used', exact: true }).click();
    await expect(page.getByRole('article').first()).toBeVisible();
    await page.getByRole('link', { name: 'See the plan' }).first().click();
    await expect(page).toHaveURL(/#\/plan\/detail/);
  });

  expect(await installation.staff(null, 'ledger', 'verify')).toMatchObject({ ok: true });
  expect(troubles).toEqual([]);
});
