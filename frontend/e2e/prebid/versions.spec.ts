import { expect, type Page } from '@playwright/test';
import { site } from '../publishers/site.ts';
import { running } from '../steps/running.ts';
import { test } from '../test.ts';
import { film, playerScript, withFilm } from '../video/player.ts';
import { rivalServer } from './rival.ts';
import { oldPrebidScript, prebidScript } from './scripts.ts';
import { units, unitsPage } from './units.ts';

type Bid = { bidder: string; adUnitCode: string };

/** Who was shown so far, and where. */
const winners = (page: Page) =>
  page.evaluate(() => {
    const { pbjs } = window as unknown as {
      pbjs: { getEvents?: () => { eventType: string; args: Bid }[] };
    };
    const won = pbjs.getEvents?.().filter(({ eventType }) => eventType === 'bidWon') ?? [];
    return won.map(({ args: { bidder, adUnitCode } }) => `${adUnitCode}: ${bidder}`).sort();
  });

/** Consent of somebody who allows everything, as a consent tool writes it. */
const tcString = 'CQLBtAAQLBtAAAKA1BENBNFgAAAAAAAAACiQAAAAAAAA';

const pages = {
  '/nothing-said': undefined,
  '/gdpr': { gdprApplies: true, tcString },
  '/no-gdpr': { gdprApplies: false, tcString: '' },
};

for (const [version, built] of [
  ['the newest', prebidScript],
  ['that of two years ago', oldPrebidScript],
] as const) {
  test(`${version} Prebid.js sells each kind of place, half of them to another bidder`, async ({
    page: reader,
    installation,
  }) => {
    // 0.50 a view: a publisher earns 0.35, and 350 by the thousand.
    const plan = await running(installation, { price: '500.00', film: true });
    const filmPlan = await plan.put('video');
    // Another half of the page in each auction.
    const rival = await rivalServer((unit, auction) => {
      const place = units.indexOf(unit);
      return (place + auction) % 2 ? 350.01 : 349.99;
    });
    const shown = Object.entries(pages).map(([path, consent]) => [
      path,
      unitsPage(installation.base, rival.endpoint, consent),
    ]);
    const publisher = await site({
      '/prebid.js': await built(),
      '/player.js': await playerScript(),
      '/film.mp4': film,
      ...Object.fromEntries(shown),
    });
    await withFilm(reader);
    const errors: string[] = [];
    reader.on('pageerror', (error) => errors.push(error.message));
    /** Views that count: of both banners and the native ad, and of the film. */
    const views = () => Promise.all([plan, filmPlan].map(({ events }) => events('impression')));
    const seen = async () => (await views()).map(({ length }) => length);
    for (const [number, path] of Object.keys(pages).entries()) {
      await test.step(path, async () => {
        await reader.goto(`${publisher.base}${path}`);
        const first = ['top: placard', 'side: rival', 'feed: placard', 'film: rival'];
        await expect.poll(() => winners(reader)).toEqual(first.sort());
        await expect.poll(seen).toEqual([3 * number + 2, number]);
        await reader.evaluate('auction()');
        const second = ['top: rival', 'side: placard', 'feed: rival', 'film: placard'];
        await expect.poll(() => winners(reader)).toEqual([...first, ...second].sort());
        await expect.poll(seen).toEqual([3 * number + 3, number + 1]);
      });
    }
    // Of a reader whom the GDPR protects, not even the device is kept. The newest views are first.
    const [kept, none] = ['desktop', null].map((device) => Array(3).fill(device));
    const devices = (await views()).map((listed) => listed.map(({ device }) => device));
    expect(devices).toEqual([[kept, none, kept].flat(), ['desktop', null, 'desktop']]);
    expect(errors).toEqual([]);
    for (const server of [publisher, rival]) server.close();
  });
}
