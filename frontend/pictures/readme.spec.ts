import { join, resolve } from 'node:path';
import type { Browser } from '@playwright/test';
import { hashed, seed } from '../e2e/people.ts';
import { type Account, readAs, signInQuietly } from '../e2e/stock.ts';
import { test } from '../e2e/test.ts';

const images = resolve(import.meta.dirname, '../../docs/images');
/** Long enough to fill the day's chart. */
const visits = { rate: '8', seconds: '45' };

test('the row of pictures in the README', async ({ browser, installation }) => {
  const { user } = await seed(installation, '--history');
  await installation.start();
  const account = await signInQuietly(installation.base, user.username, user.password);
  const plan = await putPlan(installation.base, account, user.pay_password);
  const stopped = await putPlan(installation.base, account, user.pay_password);
  await installation.traffic(visits.rate, visits.seconds);
  // A plan that runs is billed once a day if little waits; one that ends, at once.
  await change(installation.base, account, '/plan/order/stop', { id: stopped });
  const event = await billedEvent(installation.base, account, stopped);
  const shots = [
    ['ad-center', '/ad-center', 'light'],
    ['plans', '/plan', 'light'],
    ['plan', `/plan/detail?id=${plan}`, 'light'],
    ['report', '/report?days=thisMonth', 'light'],
    ['events', `/plan/events?plan=${plan}&kind=impression`, 'light'],
    ['event', `/plan/event?plan=${stopped}&kind=impression&id=${event}`, 'light'],
    ['wallet', '/wallet', 'light'],
  ] as const;
  for (const [name, path, colorScheme] of shots) {
    await shoot(browser, account, { url: `${installation.base}/#${path}`, colorScheme, name });
  }
});

async function putPlan(base: string, account: Account, pin: string) {
  const { id } = await change(base, account, '/plan/order/put', {
    product_id: '1',
    amount: '100.00',
    content: 'landing_page',
    ai_delivery: true,
    password: hashed(pin),
  });
  return id;
}

async function change(base: string, { token }: Account, path: string, body: object) {
  const answer = await fetch(`${base}/api${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-CT': token },
    body: JSON.stringify(body),
  });
  const { data } = (await answer.json()) as { data: { id: string } };
  return data;
}

/** An impression that counts and was clicked, once it is on a bill. */
async function billedEvent(base: string, account: Account, plan: string) {
  type Found = { id: string; billing: string; related: unknown[] };
  const list = `/plan/order/events?plan_id=${plan}&kind=impression&counted=true&limit=100`;
  const one = `/plan/order/event?plan_id=${plan}&kind=impression&id=`;
  for (let tries = 0; tries < 30; tries += 1) {
    const { items } = await readAs<{ items: { id: string }[] }>(base, account, list);
    const events = items.map(({ id }) => readAs<Found>(base, account, one + id));
    const billed = (await Promise.all(events)).filter(({ billing }) => billing === 'billed');
    const event = billed.find(({ related }) => related.length > 0) ?? billed[0];
    if (event) return event.id;
    await new Promise((moment) => setTimeout(moment, 1000));
  }
  throw new Error('nothing was billed');
}

type Shot = { url: string; colorScheme: 'light' | 'dark'; name: string };

async function shoot(browser: Browser, account: Account, { url, colorScheme, name }: Shot) {
  const context = await browser.newContext({
    colorScheme,
    viewport: { width: 375, height: 812 },
    deviceScaleFactor: 2,
    reducedMotion: 'reduce',
  });
  await context.addInitScript(({ token, user }) => {
    localStorage.setItem('fb_token', token);
    localStorage.setItem('fb_userInfo', JSON.stringify(user));
    localStorage.setItem('lang', 'en');
  }, account);
  const page = await context.newPage();
  await page.goto(url);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForFunction(() => !document.querySelector('.rv-skeleton'));
  await page.evaluate(() => document.fonts.ready);
  await page.screenshot({ path: join(images, `${name}.png`), animations: 'disabled' });
  await context.close();
}
