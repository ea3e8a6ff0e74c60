import { createServer } from 'node:http';
import { expect, type Frame, type Page } from '@playwright/test';
import type { Installation, Operator } from './installation.ts';
import { reloadUntil } from './steps/waiting.ts';
import { test } from './test.ts';

type Message = { type: string; url?: string; source?: string };
type Seeded = { operators: Operator[] };

/** Stand-ins for the bridges of docs/NATIVE-SHELL.md, installed before the page starts. */
const shells = {
  iOS: () => {
    const hear = (message: object) => (window as never as Hearing).shellHears(message);
    Object.assign(window, { webkit: { messageHandlers: { placard: { postMessage: hear } } } });
  },
  Android: () => {
    const hear = (json: string) => (window as never as Hearing).shellHears(JSON.parse(json));
    Object.assign(window, { PlacardAndroid: { postMessage: hear } });
  },
};
type Hearing = { shellHears(message: object): void };

async function seed(installation: Installation) {
  const { operators } = await installation.staff<Seeded>(null, 'demo', 'seed');
  const [operator] = operators;
  if (!operator) throw new Error('the demonstration has no operator');
  return operator;
}

async function entryAddress(installation: Installation, operator: Operator) {
  const { ticket } = await installation.staff<{ ticket: string }>(
    operator,
    'ticket',
    'issue',
    'demo',
  );
  return `${installation.base}/#/entry?ticket=${encodeURIComponent(ticket)}`;
}

async function pressBack(page: Page) {
  await page.evaluate(() => window.dispatchEvent(new Event('placard:back')));
}

for (const [kind, standIn] of Object.entries(shells)) {
  test(`a shell on ${kind} enters, goes back, opens and enters again`, async ({
    page,
    installation,
  }) => {
    const operator = await seed(installation);
    await installation.start();
    const heard: Message[] = [];
    await page.exposeFunction('shellHears', (message: Message) => void heard.push(message));
    await page.addInitScript(standIn);

    await test.step('enters with a ticket, and has no logout', async () => {
      await page.goto(await entryAddress(installation, operator));
      await expect(page).toHaveURL(/#\/ad-center$/);
      expect(heard).toEqual([{ type: 'ready' }]);
      await expect(page.getByRole('button', { name: 'Language' })).toBeVisible();
      await expect(page.getByRole('button', { name: 'Log out' })).toHaveCount(0);
    });

    await test.step('goes back through the pages, and closes from the ad center', async () => {
      await page.getByRole('button', { name: /^Notifications/ }).click();
      await expect(page).toHaveURL(/#\/notification$/);
      await pressBack(page);
      await expect(page).toHaveURL(/#\/ad-center$/);
      expect(heard).toHaveLength(1);

      await expect(page.getByText('Impressions').first()).toBeVisible();
      const product = page
        .getByRole('main')
        .getByRole('link', { name: /per 1,000/ })
        .last();
      await product.scrollIntoViewIfNeeded();
      const before = await page.evaluate(() => window.scrollY);
      expect(before).toBeGreaterThan(0);
      await product.click();
      await expect(page.getByRole('heading', { name: 'Product', exact: true })).toBeVisible();
      expect(await page.evaluate(() => window.scrollY)).toBe(0);
      await pressBack(page);
      await expect(product).toBeFocused();
      expect(await page.evaluate(() => window.scrollY)).toBe(before);
      await pressBack(page);
      expect(heard.at(-1)).toEqual({ type: 'close' });
    });

    await test.step('is asked to open what is outside the app', async () => {
      await page.goto(`${installation.base}/#/ad-center/questions`);
      await page.getByRole('button', { name: 'Ask customer service' }).click();
      await page.getByRole('link', { name: /E-mail/ }).click();
      await expect
        .poll(() => heard.at(-1))
        .toEqual({
          type: 'open',
          url: 'mailto:support@example.com',
        });
      expect(page.context().pages()).toHaveLength(1);
    });

    await test.step('hears of the session’s end, and enters again', async () => {
      await installation.staff(operator, 'account', 'sessions', 'demo', '--end');
      // Read requests may accept a cached session for some seconds after it has ended.
      await reloadUntil(page, (timeout) => expect(page).toHaveURL(/#\/ad-welcome/, { timeout }));
      // A reload may have been under way then.
      await expect.poll(() => heard).toContainEqual({ type: 'session_ended' });
      await page.goto(await entryAddress(installation, operator));
      await expect(page).toHaveURL(/#\/ad-center$/);
    });
  });
}

test('back goes by the address while its page is still on the way', async ({
  page,
  installation,
}) => {
  const operator = await seed(installation);
  await installation.start();
  const heard: Message[] = [];
  await page.exposeFunction('shellHears', (message: Message) => void heard.push(message));
  await page.addInitScript(shells.Android);
  await page.goto(await entryAddress(installation, operator));
  await expect(page).toHaveURL(/#\/ad-center$/);
  await page.route('**/assets/NotificationPage*', async (route) => {
    await new Promise((late) => setTimeout(late, 1_500));
    await route.continue();
  });
  await page.getByRole('button', { name: /^Notifications/ }).click();
  await expect(page).toHaveURL(/#\/notification$/);
  await pressBack(page);
  await expect(page).toHaveURL(/#\/ad-center$/);
  expect(heard).toEqual([{ type: 'ready' }]);
});

test('a ticket works once', async ({ page, installation }) => {
  const operator = await seed(installation);
  await installation.start();
  const address = await entryAddress(installation, operator);
  await page.goto(address);
  await expect(page).toHaveURL(/#\/ad-center$/);
  await page.evaluate(() => localStorage.clear());
  await page.goto('about:blank');
  await page.goto(address);
  await expect(page.getByText('This link no longer works')).toBeVisible();
});

test('a page that frames the app is a shell where its origin is named', async ({
  page,
  context,
  installation,
}) => {
  const operator = await seed(installation);
  const shell = await standInPage();
  const stranger = await standInPage();
  await installation.start({ PLACARD_SHELL_ORIGINS: shell.origin });
  try {
    const address = await entryAddress(installation, operator);
    const refused = await context.newPage();
    await refused.goto(`${stranger.origin}/?${new URLSearchParams({ app: address })}`);
    await expect.poll(() => framed(refused)?.url()).toMatch(/^chrome-error:/);
    expect(await heardBy(refused)).toEqual([]);
    await refused.close();

    await page.goto(`${shell.origin}/?${new URLSearchParams({ app: address })}`);
    // Says which page is there instead, if it is another one.
    await expect.poll(() => framed(page)?.url()).toMatch(/#\/ad-center$/);
    const app = page.frameLocator('iframe');
    await expect(app.getByRole('heading', { name: 'Ad center' })).toBeVisible();
    expect(await heardBy(page)).toEqual([{ source: 'placard', type: 'ready' }]);
    await page.evaluate(() =>
      window.frames[0]?.postMessage({ target: 'placard', type: 'back' }, '*'),
    );
    await expect.poll(() => heardBy(page)).toContainEqual({ source: 'placard', type: 'close' });
  } finally {
    shell.close();
    stranger.close();
  }
});

function framed(page: Page): Frame | undefined {
  return page.frames().find((frame) => frame !== page.mainFrame());
}

function heardBy(page: Page): Promise<Message[]> {
  return page.evaluate(() => (window as never as { heard: Message[] }).heard);
}

/** A web page that frames the given address and answers as a shell does. */
async function standInPage() {
  const html = `<!doctype html><title>Shell</title>
<iframe style="width: 375px; height: 700px; border: 0"></iframe>
<script>
  window.heard = [];
  addEventListener('message', ({ source, origin, data }) => {
    if (source !== frames[0] || data.source !== 'placard') return;
    heard.push(data);
    if (data.type === 'ready') source.postMessage({ target: 'placard', type: 'shell' }, origin);
  });
  document.querySelector('iframe').src = new URLSearchParams(location.search).get('app');
</script>`;
  const server = createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html');
    response.end(html);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('no port');
  return { origin: `http://127.0.0.1:${address.port}`, close: () => server.close() };
}

test('staff look at an account, and change nothing in it', async ({ page, installation }) => {
  const operator = await seed(installation);
  await installation.start();
  await page.goto(await entryAddress(installation, operator));
  await expect(page).toHaveURL(/#\/ad-center$/);
  const banner = page.getByRole('banner');
  const said = `Customer service (${operator.operator}) is viewing your account. Nothing can be changed.`;
  for (const path of ['ad-center', 'plan', 'wallet', 'me/profile', 'notification']) {
    await page.goto(`${installation.base}/#/${path}`);
    await expect(banner).toContainText(said);
  }
  await page.setViewportSize({ width: 320, height: 568 });
  await expect(banner).toContainText(said);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);

  await page.goto(`${installation.base}/#/me/profile`);
  await page.getByLabel('Nickname').fill('Somebody else');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Nothing can be changed in this session')).toBeVisible();
  await expect(page.getByLabel('Nickname')).toHaveValue('Somebody else');
});
