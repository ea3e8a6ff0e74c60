import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { build } from 'vite';
import { freePort } from '../installation.ts';

/** Prebid.js as a publisher builds it, in one script. */
export async function prebidScript() {
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    build: {
      write: false,
      minify: false,
      lib: {
        entry: join(import.meta.dirname, 'entry.ts'),
        formats: ['iife'],
        name: 'prebid',
      },
    },
  });
  const [bundle] = Array.isArray(built) ? built : [];
  const [script] = bundle?.output ?? [];
  if (script?.type !== 'chunk') throw new Error('no script was built');
  return script.code;
}

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
  const other = `{ accountId: '1', enabled: true, bidders: ['rival'], timeout: 1000, endpoint: '${rival}' }`;
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

/** Another bidder's server, which bids the same price for everything. */
export async function rivalServer(price: number) {
  const port = await freePort();
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    const { id, imp } = JSON.parse(body) as { id: string; imp: { id: string }[] };
    const adm = '<p>Tea from somebody else</p>';
    const bid = imp.map(({ id: impid }) => ({
      id: impid,
      impid,
      price,
      adm,
      w: 300,
      h: 250,
      mtype: 1,
      crid: 'tea',
    }));
    response.writeHead(200, {
      'Content-Type': 'application/json',
      'Access-Control-Allow-Origin': request.headers.origin ?? '',
      'Access-Control-Allow-Credentials': 'true',
    });
    response.end(JSON.stringify({ id, cur: 'USD', seatbid: [{ seat: 'rival', bid }] }));
  });
  await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening));
  return { endpoint: `http://127.0.0.1:${port}/openrtb2/auction`, close: () => server.close() };
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
