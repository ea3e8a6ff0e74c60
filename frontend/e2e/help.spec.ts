import { expect } from '@playwright/test';
import { seed, signIn } from './people.ts';
import { test } from './test.ts';
import { watch } from './watch.ts';

const partner = 'https://support.example.com';

/** Questions and answers, contacts, and a chat that opens in a sandbox inside the app. */
test('help is found, and the chat opens in the app', async ({ page, installation }) => {
  const { user } = await seed(installation);
  await installation.start();
  const { base } = installation;
  await page.route(`${partner}/**`, (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: '<!doctype html><html lang="en"><title>Chat</title><h1>How can we help?</h1></html>',
    }),
  );
  await signIn(page, base, user.username, user.password);
  const troubles = watch(page, base, [partner]);

  await test.step('a question leads to its answer, which promises nothing', async () => {
    await page.getByRole('link', { name: 'FAQs' }).click();
    await page.getByRole('link', { name: 'What results can I expect?' }).click();
    await expect(page.getByText('yours may be different')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Language' })).toHaveCount(0);
  });

  await test.step('customer service lists its contacts', async () => {
    await page.getByRole('button', { name: 'Ask customer service' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByText('Customer service 1 - Chat')).toBeVisible();
    await expect(dialog.getByText('Customer service 2 - E-mail')).toBeVisible();
    await dialog.getByText('Customer service 1 - Chat').click();
  });

  await test.step('the chat is framed in the app', async () => {
    await expect(page).toHaveURL(/#\/customer\?url=https%3A%2F%2Fsupport\.example\.com%2Fchat/);
    const frame = page.frameLocator('iframe');
    await expect(frame.getByText('How can we help?')).toBeVisible();
    await expect(page.locator('iframe')).toHaveAttribute('sandbox', /allow-scripts/);
  });

  await test.step('no other address is', async () => {
    await page.goto(`${base}/#/customer?url=${encodeURIComponent('https://evil.example/chat')}`);
    await page.reload();
    await expect(page.locator('iframe')).toHaveCount(0);
  });

  await test.step('operation rules tell how money is handled', async () => {
    await page.goto(`${base}/#/ad-center`);
    await page.getByRole('link', { name: 'Operation rules' }).click();
    await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible();
  });

  expect(troubles).toEqual([]);
});
