import type { Browser } from '@playwright/test';
import type { Installation } from '../installation.ts';
import { click, read, report, see } from '../market.ts';
import { signIn } from '../screens.ts';
import { running } from '../steps/running.ts';
import { type Account, signInQuietly } from '../stock.ts';

/** Three views, one of them clicked and converted, and one view sent twice. */
export async function deliver(installation: Installation) {
  const { advertiser, plan } = await running(installation);
  await read(installation);
  const seen = await read(installation);
  const clicked = await read(installation);
  if (!seen || !clicked) throw new Error('no creative');
  await see(seen);
  const clickId = await click(clicked);
  await report(installation, advertiser, { event_id: 'order-1', click_id: clickId });
  const account = await signInQuietly(installation.base, 'mia', 'a-good-passphrase');
  return { account, plan };
}

/** A phone: what can be tapped is tapped. */
export async function phone(browser: Browser, account: Account) {
  const viewport = { width: 375, height: 812 };
  const context = await browser.newContext({ viewport, hasTouch: true, isMobile: true });
  await signIn(context, account);
  return context.newPage();
}
