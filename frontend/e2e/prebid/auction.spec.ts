import { expect, type Page } from '@playwright/test';
import { site } from '../publishers/site.ts';
import { running } from '../steps/running.ts';
import { test } from '../test.ts';
import {
  documentedPage,
  pageWithNative,
  pageWithRival,
  pageWithStoredRequest,
  shownAd,
  shownBid,
} from './pages.ts';
import { rivalServer, rivalTitle } from './rival.ts';
import { prebidScript } from './scripts.ts';

type Bid = {
  bidder: string;
  cpm: number;
  currency: string;
  mediaType: string;
  ttl: number;
  meta: object;
};

/** What Prebid.js itself says about an auction: the name of each event, and its bids. */
const told = (page: Page, name: string) =>
  page.evaluate((wanted) => {
    const { pbjs } = window as unknown as {
      pbjs: { getEvents: () => { eventType: string; args: unknown }[] };
    };
    const events = pbjs.getEvents().filter(({ eventType }) => eventType === wanted);
    return JSON.parse(JSON.stringify(events.map(({ args }) => args)));
  }, name) as Promise<Bid[]>;

test('the highest price is shown, and nothing else is paid', async ({
  page: reader,
  installation,
}) => {
  // 5.00 a view: a publisher earns 3.50, and 3,500 by the thousand.
  const plan = await running(installation);
  const [high, low] = [await rivalServer(3500.01), await rivalServer(3499.99)];
  const documented = documentedPage(installation.base, 'news-top');
  const publisher = await site({
    '/prebid.js': await prebidScript(),
    '/lost': pageWithRival(documented, high.endpoint),
    '/won': pageWithRival(documented, low.endpoint),
    '/stored': pageWithStoredRequest(documented),
    '/native': pageWithNative(documented),
    '/unknown': documentedPage(installation.base, 'nowhere'),
    '/page': documented,
  });
  const errors: string[] = [];
  reader.on('pageerror', (error) => errors.push(error.message));
  reader.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });

  await test.step('another bidder’s higher price is shown, and the plan pays nothing', async () => {
    await reader.goto(`${publisher.base}/lost`);
    await expect(shownBid(reader).getByText(rivalTitle)).toBeVisible();
    const bids = await told(reader, 'bidResponse');
    expect(bids.map(({ bidder, cpm }) => [bidder, cpm])).toEqual(
      expect.arrayContaining([
        ['placard', 3500],
        ['rival', 3500.01],
      ]),
    );
  });

  await test.step('the plan’s higher price is shown', async () => {
    await reader.goto(`${publisher.base}/won`);
    await expect(shownAd(reader).getByText('Coffee roasted the day you order')).toBeVisible();
    await expect.poll(async () => (await told(reader, 'bidWon'))[0]?.bidder).toBe('placard');
    const [won] = await told(reader, 'bidWon');
    expect(won).toMatchObject({ cpm: 3500, currency: 'USD', size: '300x250' });
    // Prebid asks for a second, and the page may take two more to show it.
    expect(won?.ttl, 'as long as the price is promised').toBe(3);
    await expect.poll(async () => (await plan.delivery()).impressions).toBe(1);
  });

  await test.step('the ad cannot reach the page', async () => {
    const inside = shownAd(reader).locator('html');
    expect(await inside.evaluate(() => window.origin)).toBe('null');
    await expect(inside.evaluate(() => window.top?.document.title)).rejects.toThrow(
      /SecurityError/,
    );
  });

  await test.step('a slot may be named as a stored request', async () => {
    await reader.goto(`${publisher.base}/stored`);
    await expect(shownAd(reader).getByText('Coffee roasted the day you order')).toBeVisible();
    await expect.poll(async () => (await plan.delivery()).impressions).toBe(2);
  });

  await test.step('a native ad is counted as well', async () => {
    await reader.goto(`${publisher.base}/native`);
    await expect.poll(async () => (await told(reader, 'bidWon'))[0]?.mediaType).toBe('native');
    await expect.poll(async () => (await plan.delivery()).impressions).toBe(3);
  });

  await test.step('a place that is nobody’s gets no bid, and keeps what stands in it', async () => {
    await reader.goto(`${publisher.base}/unknown`);
    await expect.poll(async () => (await told(reader, 'auctionEnd')).length).toBe(1);
    await expect(reader.getByText('Read our newsletter')).toBeVisible();
    expect(await told(reader, 'noBid')).toHaveLength(1);
  });

  await test.step('without a plan there is no bid', async () => {
    await plan.stop();
    await reader.goto(`${publisher.base}/page`);
    await expect.poll(async () => (await told(reader, 'auctionEnd')).length).toBe(1);
    await expect(reader.getByText('Read our newsletter')).toBeVisible();
    expect(await told(reader, 'bidResponse')).toEqual([]);
    expect(await told(reader, 'bidderError')).toEqual([]);
  });

  // Neither the bid that lost nor the places without one cost anything.
  expect(await plan.delivery()).toMatchObject({ impressions: 3, filtered: 0 });
  await expect.poll(async () => (await plan.detail()).consumed).toBe('15.00');
  expect(errors).toEqual([]);
  for (const server of [publisher, high, low]) server.close();
});
