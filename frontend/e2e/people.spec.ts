import { expect } from '@playwright/test';
import { hashed, Person, seed, signIn } from './people.ts';
import { reloadUntil } from './steps/waiting.ts';
import { test } from './test.ts';
import { watch } from './watch.ts';

/**
 * Feedback and announcements between users and the provider, and products of followed operators.
 */
test('feedback, announcements and following lead somewhere', async ({ page, installation }) => {
  const { codes, first, second } = await seed(installation);
  await installation.start();
  const { base } = installation;
  const password = hashed('582913');
  const leader = await Person.register(base, 'leader', codes[0] ?? '');
  await leader.call('/set/password', { password, confirm_password: password });
  const operated = await installation.staff<{ id: string }>(
    first,
    ...['operated', 'add', 'leader', '--id', 'OP-777', '--name', 'Lee'],
  );
  await installation.staff(second, 'request', 'approve', operated.id);
  const recharge = await installation.staff<{ id: string }>(
    first,
    ...['recharge', 'request', 'leader', '300.00', '--reference', 'BANK-LEADER'],
  );
  await installation.staff(second, 'recharge', 'approve', recharge.id);
  await Person.register(base, 'mia', codes[1] ?? '');
  await signIn(page, base, 'mia', 'a-good-passphrase');
  const troubles = watch(page, base);

  await test.step('sends feedback that staff read', async () => {
    await page.goto(`${base}/#/ad-center/feedback`);
    await page.getByRole('button', { name: 'Send feedback' }).click();
    await expect(page.getByText('Cannot be empty').first()).toBeVisible();
    await page.getByLabel('Topic').fill('Statement');
    await page.getByLabel('Your message').fill('Please add a weekly one.');
    await page.getByRole('button', { name: 'Send feedback' }).click();
    await expect(page.getByText('Thank you, we have received it')).toBeVisible();
    const received = await installation.list<{ topic: string }>(first, 'feedback', 'list');
    expect(received.map(({ topic }) => topic)).toContain('Statement');
  });

  await test.step('follows an operated ID', async () => {
    await page.goto(`${base}/#/ad-center/operated`);
    await page.getByLabel('Operated ID').fill('OP-000');
    await page.getByRole('button', { name: 'Follow', exact: true }).click();
    await expect(page.getByText('ID error, please re-enter')).toBeVisible();
    await page.getByLabel('Operated ID').fill('OP-777');
    await page.getByRole('button', { name: 'Follow', exact: true }).click();
    await page.getByRole('button', { name: 'Follow this ID' }).click();
    await expect(page.getByText('You follow', { exact: true })).toBeVisible();
    await page.getByRole('tab', { name: 'Follow records' }).click();
    await expect(page.getByText('OP-777').first()).toBeVisible();
  });

  await test.step('is offered what the followed one puts, and nothing is spent', async () => {
    const put = { product_id: '1', amount: '50.00', content: 'landing_page', password };
    await leader.call('/plan/order/put', put);
    await page.goto(`${base}/#/plan?status=waiting_to_put`);
    const offered = page.getByText(/OP-777|Lee/).first();
    await reloadUntil(page, (timeout) => expect(offered).toBeVisible({ timeout }));
  });

  await test.step('reads what everybody is told', async () => {
    const notice = await installation.staff<{ id: string }>(
      first,
      ...['notify', '--category', 'system_maintenance', '--title', 'A pause on Sunday'],
      ...['--body', 'From two to three in the night.'],
    );
    await installation.staff(second, 'request', 'approve', notice.id);
    await page.goto(`${base}/#/notification`);
    await page.getByRole('tab', { name: 'System maintenance' }).click();
    await expect(page.getByText('A pause on Sunday')).toBeVisible();
    await page.getByRole('tab', { name: 'All', exact: true }).first().click();
    await page.getByRole('button', { name: 'Mark all as read' }).click();
    await page.goto(`${base}/#/plan`);
    await expect(page.getByRole('button', { name: 'Notifications, 0 unread' })).toBeVisible();
  });

  expect(troubles).toEqual([]);
});
