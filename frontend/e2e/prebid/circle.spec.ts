import { expect } from '@playwright/test';
import { publisherKey, report } from '../market.ts';
import { site } from '../publishers/site.ts';
import { running } from '../steps/running.ts';
import { rounds } from '../steps/waiting.ts';
import { test } from '../test.ts';
import { documentedPage, shownAd } from './pages.ts';
import { prebidScript } from './scripts.ts';

const today = (days = 0) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

/**
 * Money's whole way: from an advertiser and a user, through a page with Prebid.js, to the bank
 * account of the publisher. All programs and rules are the real ones; only the clock is moved,
 * over the month in which what was earned can still be corrected.
 */
test('a view on a page with Prebid.js is paid to its publisher', async ({
  page: reader,
  installation,
}) => {
  // 7.00 a view, of which the publisher gets seven tenths. Prebid.js takes no bid above 5,000.
  const plan = await running(installation, { amount: '77.00', price: '7000.00' });
  const { admin, finance, advertiser } = plan;
  const account = await installation.file(
    'account.toml',
    'holder = "The Daily Ltd"\naccount = "DE89370400440532013000"\nbank = "Example Bank"\n',
  );
  const terms = ['publisher', 'terms', '1', '--destination', account];
  const asked = await installation.staff<{ id: string }>(admin, ...terms);
  await installation.staff(finance, 'request', 'approve', asked.id);
  const publisher = await site({
    '/prebid.js': await prebidScript(),
    '/': documentedPage(installation.base, 'news-top'),
  });
  const ad = shownAd(reader);
  const statement = () => installation.show(admin, 'publisher', 'statement', '1');

  await test.step('the page’s auction is won, and the ad is seen', async () => {
    await reader.goto(`${publisher.base}/`);
    await expect(ad.getByText('Coffee roasted the day you order')).toBeVisible();
    await expect.poll(async () => (await plan.delivery()).impressions).toBe(1);
    await expect.poll(async () => (await plan.delivery()).viewable).toBe(1);
  });

  await test.step('a click leads to a sale, which the advertiser reports', async () => {
    const opened = reader.waitForEvent('popup');
    await ad.getByRole('link').click();
    const landing = new URL((await opened).url());
    const sale = { event_id: 'order-1', click_id: landing.searchParams.get('click_id') ?? '' };
    expect(await report(installation, advertiser, sale)).toMatchObject({ accepted: true });
    await expect.poll(async () => (await plan.delivery()).clicks).toBe(1);
  });

  await test.step('ten more views use the budget up, and the plan is settled', async () => {
    for (let views = 1; views < 11; views += 1) {
      await reader.reload();
      await expect(ad.getByText('Coffee roasted the day you order')).toBeVisible();
      // The picture that counts the view has come.
      await expect(ad.locator('img[data-view]')).toHaveJSProperty('naturalWidth', 1);
    }
    await expect.poll(async () => (await plan.delivery()).impressions).toBe(11);
    await expect.poll(async () => (await plan.detail()).status, rounds).toBe('settled');
    expect((await plan.detail()).consumed).toBe('77.00');
  });

  await test.step('the publisher is credited to the cent', async () => {
    expect(await statement()).toMatchObject({
      impressions: 11,
      clicks: 1,
      filtered: 0,
      earned: '53.90',
      paid: '0.00',
      closing: '53.90',
    });
  });

  await test.step('a payout waits for a month, and then for two people', async () => {
    const payout = ['publisher', 'payout', '1', '50.00'];
    await expect(installation.staff(finance, ...payout)).rejects.toThrow(/on hold/);
    await installation.moveClock(1);
    await expect(installation.staff(finance, ...payout)).rejects.toThrow(/payable/);
    await installation.kill();
    await installation.moveClock(31);
    await installation.start();
    const { id } = await installation.staff<{ id: string }>(finance, ...payout);
    const alone = installation.staff(finance, 'request', 'approve', id);
    await expect(alone).rejects.toThrow(/second_person_needed/);
    await installation.staff(admin, 'request', 'approve', id);
    const paid = ['publisher', 'paid', id, '--reference', 'OUT-1'];
    await expect(installation.staff(admin, ...paid)).rejects.toThrow(/second_person_needed/);
    await installation.staff(finance, ...paid);
  });

  await test.step('the bank’s file says the same', async () => {
    const file = await installation.file(
      'bank.csv',
      [
        'date,amount,currency,reference,counterparty',
        `${today()},1000.00,USD,ADV-1,Aurora Roasters`,
        `${today()},250.00,USD,BANK-1,Mia`,
        `${today(31)},-50.00,USD,OUT-1,The Daily Ltd`,
        '',
      ].join('\n'),
    );
    const imported = await installation.staff<{ id: string }>(
      finance,
      ...['bank', 'import', file, '--account', 'OURS', '--opening', '0.00', '--closing', '1200.00'],
    );
    expect(imported).toMatchObject({ matched: 3, differences: 0, missing: 0, unknown: 0 });
    type Statement = { proposals: { digest: string } };
    const { proposals } = await installation.show<Statement>(admin, 'bank', 'show', imported.id);
    const confirmed = await installation.staff(
      admin,
      ...['bank', 'confirm', imported.id, '--proposals', proposals.digest],
    );
    expect(confirmed).toMatchObject({ books: { agrees: true } });
  });

  await test.step('the publisher sees what it was paid', async () => {
    expect(await statement()).toMatchObject({
      opening: '53.90',
      paid: '50.00',
      closing: '3.90',
    });
    await publisherKey(installation, admin, finance, '1');
    const link = ['publisher', 'link', '1', '--base', installation.base];
    const { url } = await installation.staff<{ url: string }>(admin, ...link);
    await reader.goto(url);
    // The statement of the month, further down, has one as well once it has come.
    const paid = reader
      .locator('dt', { hasText: /^Paid out$/ })
      .first()
      .locator('..');
    await expect(paid).toContainText('$50.00');
  });

  await test.step('every law of the ledger holds, and all accounts sum to zero', async () => {
    expect(await installation.staff(null, 'ledger', 'verify')).toMatchObject({ ok: true });
    expect(await installation.staff(null, 'delivery', 'recompute')).toMatchObject({ ok: true });
    expect(await installation.staff(null, 'audit', 'verify')).toMatchObject({ ok: true });
    type Balance = { account: string; balance: string };
    const trial = ['ledger', 'trial-balance'];
    const balances = (await installation.staff<Balance[]>(null, ...trial)).map(
      ({ account, balance }) => [account, Math.round(Number(balance) * 100)] as const,
    );
    expect(balances.reduce((sum, [, balance]) => sum + balance, 0)).toBe(0);
    expect(Object.fromEntries(balances)).toMatchObject({
      publisher_earnings: 3_90,
      payout_transit: 0,
      recharge_clearing: 0,
      // Accounts of what is there are negative: 1,250.00 came in, and 50.00 went out.
      bank: -1_200_00,
      delivery_revenue: 23_10,
    });
  });
  publisher.close();
});
