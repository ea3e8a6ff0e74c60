import { readFile } from 'node:fs/promises';
import { expect } from '@playwright/test';
import { confirmWith, seed, signIn } from '../people.ts';
import { told } from '../steps/waiting.ts';
import { test } from '../test.ts';
import { watch } from '../watch.ts';

/** Money goes to an acceptor and into a deposit, and the month's statement can be downloaded. */
test('money is exchanged, set aside, and told of in a file', async ({ page, installation }) => {
  const { user, acceptors, first, second } = await seed(installation);
  const code = acceptors.find(({ type }) => type === 'enterprise')?.code ?? '';
  await installation.start();
  const { base } = installation;
  await signIn(page, base, user.username, user.password);
  const troubles = watch(page, base);

  const order = async () => {
    await page.getByRole('tab', { name: 'Enterprise' }).click();
    await page.getByLabel('Acceptance code').fill(code);
    await page.getByRole('button', { name: 'Show rates' }).click();
    await page.getByLabel('Amount', { exact: true }).fill('120.00');
    await page.getByRole('button', { name: 'Review exchange' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click();
    await confirmWith(page, user.pay_password);
    await expect(page.getByText('Current exchange')).toBeVisible();
  };

  await test.step('a wrong code is told at its field', async () => {
    await page.goto(`${base}/#/wallet/foreign-exchange`);
    await page.getByLabel('Acceptance code').fill('not-a-code');
    await page.getByRole('button', { name: 'Show rates' }).click();
    await expect(page.getByText(/Acceptance code error, please re-enter/)).toBeVisible();
    await expect(page.getByLabel('Acceptance code')).toHaveValue('not-a-code');
  });

  await test.step('an order can be taken back', async () => {
    await order();
    await page.getByRole('button', { name: 'Cancel exchange' }).click();
    await Promise.all([
      told(page, 'Exchange cancelled'),
      page.getByRole('dialog').getByRole('button', { name: 'Cancel exchange' }).click(),
    ]);
  });

  await test.step('or is completed by two people', async () => {
    await page.reload();
    await order();
    const orders = await installation.list<{ id: string; status: string }>(
      first,
      'exchange',
      'list',
    );
    const id = orders.find(({ status }) => status === 'pending')?.id ?? '';
    await installation.staff(first, 'exchange', 'approve', id);
    const alone = installation.staff(first, 'exchange', 'complete', id);
    await expect(alone).rejects.toThrow(/second_person_needed/);
    await installation.staff(second, 'exchange', 'complete', id);
    await page.reload();
    await expect(page.getByText('Completed').first()).toBeVisible();
  });

  await test.step('a deposit is paid in, and stays while plans are under way', async () => {
    await page.goto(`${base}/#/wallet/deposit`);
    await page.getByLabel('Amount', { exact: true }).fill('80.00');
    await page.getByRole('button', { name: 'Pay in', exact: true }).click();
    await confirmWith(page, user.pay_password);
    await expect(page.getByText('Deposit paid in')).toBeVisible();
    await page.getByRole('tab', { name: 'Take back' }).click();
    await page.getByLabel('Amount', { exact: true }).fill('80.00');
    await page.getByRole('button', { name: 'Take back', exact: true }).click();
    await confirmWith(page, user.pay_password);
    await expect(page.getByRole('alert')).toContainText('You still have open plans');
  });

  await test.step('the month is downloaded as CSV and as PDF', async () => {
    await page.goto(`${base}/#/wallet`);
    for (const [name, begins] of [
      ['CSV', '\uFEFF'],
      ['PDF', '%PDF'],
    ] as const) {
      await page.getByRole('button', { name: 'Statement', exact: true }).click();
      const download = page.waitForEvent('download');
      await page.getByRole('dialog').getByRole('button', { name }).click();
      const file = await readFile(await (await download).path(), 'utf8');
      expect(file.startsWith(begins), name).toBe(true);
    }
  });

  expect(await installation.staff(null, 'ledger', 'verify')).toMatchObject({ ok: true });
  expect(troubles).toEqual([]);
});
