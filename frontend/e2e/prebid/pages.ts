import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';

/** The page that docs/DELIVERY.md shows publishers, with its names filled in. */
export function documentedPage(server: string, slot: string) {
  const docs = join(import.meta.dirname, '../../../docs/DELIVERY.md');
  const [, section = ''] = readFileSync(docs, 'utf8').split('\n## Prebid\n');
  const [, page] = /```html\n(.*?)```/s.exec(section) ?? [];
  if (!page) throw new Error('the page is not documented');
  return page.replaceAll('https://ads.example', server).replace("'KEY'", `'${slot}'`);
}

/** The same page with a second bidder, who is asked on a server of its own. */
export function pageWithRival(page: string, rival: string) {
  const config = /s2sConfig: (\{.*?\n {10}\})/s.exec(page)?.[1];
  const unit = "bids: [{ bidder: 'placard'";
  if (!config || !page.includes(unit)) throw new Error('the page has another form');
  const other = `{ accountId: '1', enabled: true, bidders: ['rival'], timeout: 30_000, endpoint: '${rival}' }`;
  return page
    .replace(config, `[${config}, ${other}]`)
    .replace(unit, "bids: [{ bidder: 'rival', params: {} }, { bidder: 'placard'");
}

/** The same page, whose ad unit names its slot as a stored request. */
export function pageWithStoredRequest(page: string) {
  const named = /params: \{ slot: '(.*?)' \} \}\]/;
  if (!named.test(page)) throw new Error('the page has another form');
  const stored = "ortb2Imp: { ext: { prebid: { storedrequest: { id: '$1' } } } }";
  return page.replace(named, `params: {} }], ${stored}`);
}

/** The same page with a native ad unit: Prebid.js tells of what it shows itself. */
export function pageWithNative(page: string) {
  const banner = 'banner: { sizes: [[300, 250]] }';
  if (!page.includes(banner)) throw new Error('the page has another form');
  const title = '{ id: 1, required: 1, title: { len: 80 } }';
  const picture = '{ id: 2, required: 1, img: { type: 3, wmin: 300, hmin: 157 } }';
  return page.replace(banner, `native: { ortb: { ver: '1.2', assets: [${title}, ${picture}] } }`);
}

/**
 * The ad lies in the page's own frame, in the one that Prebid.js puts into that, and, with a
 * sandbox around it, in the bid's.
 */
export function shownAd(reader: Page) {
  const bid = shownBid(reader);
  return bid.frameLocator('iframe');
}

/** What a bid brought, as Prebid.js shows it. */
export function shownBid(reader: Page) {
  return reader.frameLocator('#top iframe').frameLocator('iframe');
}
