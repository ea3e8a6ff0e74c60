import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { layoutFaults } from './layout.ts';
import { seed, signIn } from './people.ts';
import { test } from './test.ts';
import { watch } from './watch.ts';

type Message = { id: string; by: string; text: string; pictures: string[]; read: boolean };
type Conversation = { status: string; waiting: boolean; messages: Message[] };

/** A picture of one pixel. */
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Whom users of the demonstration can turn to. */
const demonstrated = '../../crates/demo/content/contacts.toml';

/** No fault of layout or accessibility on the page in front. */
async function sound(page: Page) {
  expect(await layoutFaults(page)).toEqual([]);
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
}

test.use({ hasTouch: true });

test('a user writes to customer service, staff answer, and a recharge waits and is credited', async ({
  page,
  installation,
}) => {
  const { first, second, user } = await seed(installation);
  const contacts = await readFile(join(import.meta.dirname, demonstrated), 'utf8');
  const none = contacts.replaceAll('[contact.label]', 'active = false\n\n[contact.label]');
  await installation.staff(first, 'content', 'apply', await installation.file('none.toml', none));
  await installation.start();
  const { base } = installation;
  const staff = <T>(...args: string[]) =>
    installation.list<never>(first, 'conversation', ...args) as unknown as Promise<T>;
  await signIn(page, base, user.username, user.password);
  const troubles = watch(page, base);
  const message = page.getByLabel('Your message');
  const log = page.getByRole('log');

  await test.step('reaches the conversation by touch, where no contact is configured', async () => {
    await page.goto(`${base}/#/wallet`);
    await page.getByRole('link', { name: 'Recharge', exact: true }).tap();
    await page.getByRole('button', { name: 'Ask customer service' }).tap();
    await page.getByRole('link', { name: 'Write to customer service' }).tap();
    await expect(page).toHaveURL(/#\/customer$/);
    await expect(page.getByText('Write to us')).toBeVisible();
    await sound(page);
  });

  await test.step('writes by keyboard, with a picture', async () => {
    await message.focus();
    await page.keyboard.type('Has my transfer arrived? <b>BANK-77</b>');
    await page.keyboard.press('Tab');
    await expect(page.getByRole('button', { name: 'Add images' })).toBeFocused();
    await page.keyboard.press('Enter');
    await page
      .getByLabel('Add image')
      .setInputFiles({ name: 'receipt.png', mimeType: 'image/png', buffer: picture });
    await expect(page.getByText('receipt.png: uploaded')).toBeAttached();
    await page.reload();
    await expect(message).toHaveValue('Has my transfer arrived? <b>BANK-77</b>');
    await expect(page.getByText('receipt.png: uploaded')).toBeAttached();
    await page.getByRole('button', { name: 'Send' }).focus();
    await page.keyboard.press('Enter');
    await expect(log.getByText('Has my transfer arrived? <b>BANK-77</b>')).toBeVisible();
    await expect(log.getByText('Sent')).toBeVisible();
    await log.getByRole('button', { name: 'Image 1 of 1' }).tap();
    await expect(page.getByRole('dialog').getByRole('img')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await sound(page);
  });

  await test.step('loses no message when the answer is lost, and sends it once', async () => {
    await page.route(
      '**/api/customer/messages',
      async (route) => {
        if (route.request().method() !== 'POST') return route.fallback();
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    await message.fill('It was 60.00.');
    await page.getByRole('button', { name: 'Send' }).tap();
    await expect(page.getByText(/is not confirmed/)).toBeVisible();
    await expect(message).toHaveValue('It was 60.00.');
    await page.getByRole('button', { name: 'Send' }).tap();
    await expect(message).toHaveValue('');
    troubles.length = 0;
  });

  await test.step('staff read it, and the user sees that', async () => {
    const waiting = await staff<{ username: string }[]>('list', '--waiting');
    expect(waiting.map(({ username }) => username)).toEqual([user.username]);
    const shown = await staff<Conversation>('show', user.username);
    expect(shown.messages.map(({ text }) => text)).toEqual([
      'Has my transfer arrived? <b>BANK-77</b>',
      'It was 60.00.',
    ]);
    const [id] = shown.messages[0]?.pictures ?? [];
    const file = await installation.file('unused.txt', '');
    const saved = file.replace('unused.txt', 'receipt.png');
    await staff('picture', id ?? '', saved);
    expect((await stat(saved)).size).toBeGreaterThan(0);
    await expect(log.getByText('Read', { exact: true })).toHaveCount(2);
  });

  await test.step('is told of an answer elsewhere, and led to it', async () => {
    await page.goto(`${base}/#/plan`);
    await staff('answer', user.username, 'Yes. A colleague checks it now.');
    await page.goto(`${base}/#/notification`);
    const notice = page.getByRole('button', { name: /Customer service has replied/ });
    await notice.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Open the conversation' }).press('Enter');
    await expect(log.getByText('Yes. A colleague checks it now.')).toBeInViewport();
    await expect(async () => {
      const { messages } = await staff<Conversation>('show', user.username);
      expect(messages.at(-1)?.read).toBe(true);
    }).toPass();
    await staff('answer', user.username, 'It will take an hour.');
    await expect(log.getByText('It will take an hour.')).toBeVisible();
    await sound(page);
  });

  await test.step('announces a payment, which waits until exactly it is credited', async () => {
    await page.goto(`${base}/#/wallet/recharge`);
    await expect(page.getByText('DE02 1203 0000 0000 2020 51')).toBeVisible();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: base });
    await page.getByRole('button', { name: 'Copy Your reference' }).tap();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^RF\d{3,}$/);
    await page.getByLabel('Amount').fill('75');
    await page.getByRole('button', { name: 'I have paid' }).tap();
    const open = page.getByRole('list', { name: 'Announced payments' });
    await expect(open).toContainText('The bank has not reported it yet');
    await sound(page);
    const paid = ['recharge', 'request', user.username, '75.00', '--reference', 'BANK-75'];
    const { id } = await installation.staff<{ id: string }>(first, ...paid);
    await page.getByRole('button', { name: /Refresh/ }).press('Enter');
    await expect(open).toContainText('A second person is checking it');
    await installation.staff(second, 'recharge', 'approve', id);
    await page.getByRole('button', { name: /Refresh/ }).press('Enter');
    await expect(open).toHaveCount(0);

    await page.getByLabel('Amount').fill('1');
    await page.getByRole('button', { name: 'I have paid' }).tap();
    await page.getByRole('button', { name: /^Cancel announcement/ }).tap();
    const dialog = page.getByRole('dialog', { name: 'Cancel this announcement?' });
    await dialog.getByRole('button', { name: 'Cancel announcement' }).tap();
    await expect(open).toHaveCount(0);
  });

  await test.step('sees the recharge wait, with its reference to copy, and then credited', async () => {
    const asked = await installation.staff<{ id: string }>(
      first,
      ...['recharge', 'request', user.username, '60.00', '--reference', 'BANK-77'],
    );
    await page.goto(`${base}/#/wallet`);
    const card = page.getByRole('region', { name: 'Waiting to be credited' });
    await expect(page.getByRole('heading', { name: 'Waiting to be credited' })).toBeVisible();
    await expect(card.or(page.getByRole('main')).getByText('BANK-77').first()).toBeVisible();
    await page.getByRole('button', { name: 'Copy reference BANK-77' }).tap();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('BANK-77');
    await sound(page);
    await page.getByRole('link', { name: 'Your recharges' }).tap();
    await expect(page).toHaveURL(/#\/wallet\/recharge/);
    await expect(page.getByText('Being checked')).toBeVisible();
    await sound(page);
    await installation.staff(second, 'recharge', 'approve', asked.id);
    await page.getByRole('button', { name: /Refresh/ }).press('Enter');
    await expect(page.getByText('Being checked')).toHaveCount(0);
    await expect(page.getByText('Credited').first()).toBeVisible();
    await page.goto(`${base}/#/wallet`);
    await expect(page.getByRole('heading', { name: 'Wallet' })).toBeVisible();
    await expect(page.getByText('Waiting to be credited')).toHaveCount(0);
  });

  await test.step('finds the conversation closed, and opens it again', async () => {
    await installation.staff(first, 'conversation', 'close', user.username);
    await page.goto(`${base}/#/customer`);
    await expect(page.getByText(/has closed this conversation/)).toBeVisible();
    await message.fill('Thank you');
    await page.keyboard.press('Control+Enter');
    await expect(log.getByText('Thank you')).toBeVisible();
    await expect(page.getByText(/has closed this conversation/)).toHaveCount(0);
  });

  expect(troubles).toEqual([]);
});
