import type { Browser } from '@playwright/test';
import type { Installation, Operator } from '../installation.ts';
import { click, openMarket, read, report, see } from '../market.ts';
import { hashed, Person } from '../people.ts';
import { signIn } from '../screens.ts';
import { type Account, signInQuietly } from '../stock.ts';

/** Three views, one of them clicked and converted, and one view sent twice. */
export async function deliver(installation: Installation) {
  const add = ['operator', 'add', 'anna', '--role', 'admin', '--reason', 'first operator'];
  const admin = await installation.staff<Operator>(null, ...add);
  const finance = await installation.staff<Operator>(
    admin,
    ...['operator', 'add', 'ben', '--role', 'finance'],
  );
  const advertiser = await openMarket(installation, admin, finance);
  const issue = ['code', 'issue', '--count', '1'];
  const { codes } = await installation.staff<{ codes: string[] }>(admin, ...issue);
  await installation.start();
  const mia = await Person.register(installation.base, 'mia', codes[0] ?? '');
  const paid = ['recharge', 'request', 'mia', '250.00', '--reference', 'BANK-1'];
  const { id } = await installation.staff<{ id: string }>(finance, ...paid);
  await installation.staff(admin, 'recharge', 'approve', id);
  const password = hashed('582913');
  await mia.call('/set/password', { password, confirm_password: password });
  const plan = await mia.call<{ id: string }>('/plan/order/put', {
    product_id: '1',
    amount: '100.00',
    content: 'landing_page',
    password,
  });
  await read(installation);
  const seen = await read(installation);
  const clicked = await read(installation);
  if (!seen || !clicked) throw new Error('no creative');
  await see(seen);
  const clickId = await click(clicked);
  await report(installation, advertiser, { event_id: 'order-1', click_id: clickId });
  const account = await signInQuietly(installation.base, 'mia', 'a-good-passphrase');
  return { account, plan: plan.id };
}

/** A phone: what can be tapped is tapped. */
export async function phone(browser: Browser, account: Account) {
  const viewport = { width: 375, height: 812 };
  const context = await browser.newContext({ viewport, hasTouch: true, isMobile: true });
  await signIn(context, account);
  return context.newPage();
}
