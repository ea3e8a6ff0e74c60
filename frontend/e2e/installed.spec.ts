import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { expect, type Locator, type Page } from '@playwright/test';
import { routeName } from '../src/app/routes.ts';
import type { Installation } from './installation.ts';
import { signInQuietly } from './stock.ts';
import { test } from './test.ts';

/** The app as users install it: with its service worker, which the other tests block. */
test.use({ serviceWorkers: 'allow' });

test.beforeEach(async ({ installation }) => {
  await installation.staff(null, 'demo', 'seed');
  await installation.start();
});

async function signIn(page: Page, base: string) {
  const { token, user } = await signInQuietly(base, 'demo', 'demo-password');
  await page.goto(base);
  await page.evaluate(
    ({ token, user }) => {
      localStorage.setItem('lang', 'en');
      localStorage.setItem('fb_token', token);
      localStorage.setItem('fb_userInfo', JSON.stringify(user));
    },
    { token, user },
  );
  // Read when the app is loaded: until then, every page leads to the login.
  await page.reload();
  await expect(page.getByText('Available funds').first()).toBeVisible();
}

/** Waits until the worker has cached the page and everything that was loaded before it started. */
async function installedNow(page: Page) {
  await page.evaluate(() => navigator.serviceWorker.ready);
  await expect
    .poll(() => page.evaluate(() => Boolean(navigator.serviceWorker.controller)))
    .toBe(true);
  const missing = () =>
    page.evaluate(async () => {
      const loaded = performance.getEntriesByType('resource').map(({ name }) => name);
      const assets = loaded.filter((name) => new URL(name).pathname.startsWith('/assets/'));
      const held = await Promise.all(assets.map((name) => caches.match(name)));
      return assets.filter((_, at) => !held[at]);
    });
  await expect.poll(missing).toEqual([]);
}

function keptFigures(page: Page) {
  return page.evaluate(
    () =>
      new Promise<Record<string, { data: unknown }>>((done, fail) => {
        const opening = indexedDB.open('placard-figures');
        opening.onerror = () => fail(opening.error);
        opening.onsuccess = () => {
          const database = opening.result;
          if (!database.objectStoreNames.contains('figures')) return done({});
          const all = database.transaction('figures').objectStore('figures').getAll();
          all.onsuccess = () => {
            database.close();
            done(Object.assign({}, ...all.result.map(({ figures }) => figures)));
          };
        };
      }),
  );
}

/** Whether the stored figure is the one the wallet shows. It is stored with a short delay. */
async function isKept(page: Page, shown: Locator) {
  const kept = Object.entries(await keptFigures(page)).find(([name]) => name.includes('property'));
  const { available } = (kept?.[1].data ?? {}) as { available?: string };
  return (await shown.textContent())?.replace(/[^\d.]/g, '') === available;
}

/** Opens a page and waits for a text on it. The previous page stays until the next one is ready. */
async function visit(page: Page, installation: Installation, path: string, shown: string | RegExp) {
  await page.goto(`${installation.base}/#${path}`);
  const there = page.locator(`[data-page="${routeName(path)}"]`);
  await expect(there.getByText(shown).first()).toBeVisible();
  return there;
}

test('opens without a connection, and says how old its figures are', async ({
  page,
  installation,
}) => {
  const script = page.waitForResponse(/\/assets\/first-[^/]+\.js$/);
  await signIn(page, installation.base);
  expect(await (await script).headerValue('content-encoding')).toBe('br');
  await page.goto(`${installation.base}/#/ad-center`);
  await expect(page.getByText('Impressions').first()).toBeVisible();
  await visit(page, installation, '/plan', /Plan number|Waiting|Putting/);
  await visit(page, installation, '/wallet/withdraw', 'Withdraw');
  const wallet = await visit(page, installation, '/wallet', 'Available funds');
  await installedNow(page);
  const amount = wallet.getByText(/\$[\d,]+\.\d\d/).first();
  await installation.kill();
  // The demonstration's plans spend until then.
  await expect.poll(() => isKept(page, amount)).toBe(true);
  const balance = (await amount.textContent()) ?? 'no balance';
  await page.goto('about:blank');
  await page.goto(`${installation.base}/#/wallet`);
  await expect(page.getByText(/No connection\. Figures as of .+, not live\./)).toBeVisible();
  await expect(amount).toHaveText(balance);
  await page.goto(`${installation.base}/#/ad-center`);
  await expect(page.getByText(/Figures as of .+, not live/)).toBeVisible();
  await expect(page.getByText('Impressions').first()).toBeVisible();
  await page.getByRole('link', { name: 'Plans', exact: true }).click();
  await expect(page.getByText(/Figures as of .+, not live/)).toBeVisible();

  await installation.start();
  await page.getByRole('link', { name: 'Wallet' }).click();
  // The demonstration's plans keep spending, so the amount may have changed.
  await expect(amount).toBeVisible();
  await expect(page.getByText(/Figures as of/)).toHaveCount(0);
});

test('a form without a connection says so, and loses nothing', async ({
  page,
  context,
  installation,
}) => {
  await signIn(page, installation.base);
  await page.goto(`${installation.base}/#/ad-center/feedback`);
  await expect(page.getByLabel('Topic')).toBeVisible();
  await page.getByLabel('Topic').fill('Under way');
  await page.getByLabel('Your message').fill('Written in a tunnel.');
  await context.setOffline(true);
  await expect(page.getByText('No connection. Nothing you type is lost.')).toBeVisible();
  await page.getByRole('button', { name: 'Send feedback' }).click();
  await expect(page.getByText(/The connection was lost/).first()).toBeVisible();
  await expect(page.getByLabel('Your message')).toHaveValue('Written in a tunnel.');
  await context.setOffline(false);
  await expect(page.getByText('No connection. Nothing you type is lost.')).toHaveCount(0);
  await page.getByRole('button', { name: 'Send feedback' }).click();
  await expect(page.getByText('Thank you, we have received it')).toBeVisible();
});

test('whoever signs out leaves nothing on the device', async ({ page, installation }) => {
  await signIn(page, installation.base);
  await page.goto(`${installation.base}/#/wallet`);
  await expect(page.getByText('Available funds').first()).toBeVisible();
  await installedNow(page);
  await expect.poll(async () => Object.keys(await keptFigures(page)).join()).toContain('property');

  await page.goto(`${installation.base}/#/ad-center`);
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Log out' }).click();
  await expect(page).toHaveURL(/#\/login$/);
  await expect.poll(() => keptFigures(page)).toEqual({});
  const left = await page.evaluate(async () => {
    const names = await caches.keys();
    const held = await Promise.all(
      names.map(async (name) => (await (await caches.open(name)).keys()).map(({ url }) => url)),
    );
    return {
      storage: Object.keys(localStorage).sort(),
      session: Object.keys(sessionStorage),
      api: held.flat().filter((url) => /\/(api|files)\//.test(url)),
    };
  });
  expect(left).toEqual({ storage: ['fb_basic_config', 'lang'], session: [], api: [] });
});

test('a new version waits until it is asked for', async ({ page, installation }) => {
  const release = await proxyOf(installation);
  try {
    await signIn(page, release.base);
    await page.goto(`${release.base}/#/ad-center/feedback`);
    await expect(page.getByLabel('Topic')).toBeVisible();
    await installedNow(page);

    release.next();
    await page.evaluate(async () => {
      const registration = await navigator.serviceWorker.getRegistration();
      await registration?.update();
    });
    await page.getByLabel('Topic').fill('Half a thought');
    const notice = page.getByText('A new version is ready.');
    await expect(notice).toBeVisible();
    await expect(page.getByLabel('Topic')).toHaveValue('Half a thought');
    await page.getByRole('button', { name: 'Later' }).click();
    await expect(notice).toHaveCount(0);
    await expect(page.getByLabel('Topic')).toHaveValue('Half a thought');

    // The update is still waiting when the app is opened again. Then it is installed.
    await page.reload();
    await expect(notice).toBeVisible();
    const taken = page.waitForEvent('load');
    await page.getByRole('button', { name: 'Reload' }).click();
    await taken;
    await expect(page.getByLabel('Topic')).toBeVisible();
    await expect(notice).toHaveCount(0);
    const waiting = await page.evaluate(async () =>
      Boolean((await navigator.serviceWorker.getRegistration())?.waiting),
    );
    expect(waiting).toBe(false);
  } finally {
    release.close();
  }
});

test('an embedding app keeps the pages itself', async ({ page, installation }) => {
  await page.addInitScript(() => {
    Object.assign(window, { PlacardAndroid: { postMessage: () => {} } });
  });
  await page.goto(`${installation.base}/#/login`);
  await expect(page.getByRole('button', { name: 'Log in' })).toBeVisible();
  await page.waitForLoadState('networkidle');
  const registered = await page.evaluate(() => navigator.serviceWorker.getRegistrations());
  expect(registered).toEqual([]);
});

/** The same server at another address. Its worker changes when the test releases a new one. */
async function proxyOf({ base }: Installation) {
  let release = 1;
  const pass = (path: string, incoming: IncomingMessage) =>
    request(`${base}${path}`, { method: incoming.method, headers: incoming.headers });
  const server = createServer((incoming, outgoing: ServerResponse) => {
    const path = incoming.url ?? '/';
    const forward = pass(path, incoming);
    if (path === '/sw.js') {
      // Uncompressed and complete, since a line is appended to it.
      for (const name of ['accept-encoding', 'if-none-match']) forward.removeHeader(name);
    }
    forward.on('error', () => outgoing.destroy());
    forward.on('response', (answer) => {
      if (path === '/sw.js') delete answer.headers['content-length'];
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing, { end: path !== '/sw.js' });
      if (path === '/sw.js') answer.on('end', () => outgoing.end(`\n// release ${release}\n`));
    });
    incoming.pipe(forward);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('no port');
  return {
    base: `http://127.0.0.1:${address.port}`,
    next: () => {
      release += 1;
    },
    close: () => server.close(),
  };
}
