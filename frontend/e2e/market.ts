import { createHmac } from 'node:crypto';
import type { Installation, Operator } from './installation.ts';

const browser =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1';

/** A counterparty opens its link, and reads the key's fingerprint to a second person. */
export async function takeKey(
  installation: Installation,
  second: Operator,
  request: string,
  url: string,
): Promise<string> {
  const answer = await fetch(`${installation.base}/api/claim/open`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ link: url.split('=').at(-1) }),
  });
  const { key, fingerprint } = (await answer.json()).data;
  const print = ['--fingerprint', fingerprint];
  await installation.staff(second, 'request', 'approve', request, ...print);
  return key;
}

/** A publisher gets a key of its own, which links to its page need. */
export async function publisherKey(
  installation: Installation,
  admin: Operator,
  finance: Operator,
  publisher: string,
): Promise<void> {
  const asked = await installation.staff<{ id: string; claim_url: string }>(
    admin,
    'publisher',
    'key',
    publisher,
  );
  await takeKey(installation, finance, asked.id, asked.claim_url);
}

/** The video of the product; e2e/video/film.mp4 is its file. */
const filmTerms = `
[openrtb.video]
type = "video/mp4"
seconds = 20
width = 320
height = 180

[content.video]
title = "How we roast"
text = "A day at the roastery"
image = "/products/aurora-coffee.svg"
video = "/products/roastery.mp4"
`;

async function addSlot(installation: Installation, admin: Operator, key: string, content: string) {
  const terms = `key = "${key}"\npublisher = "The Daily"\ncontent_types = ["${content}"]\n`;
  await installation.staff(admin, 'slot', 'add', await installation.file(`${key}.toml`, terms));
}

/**
 * Starts the server with an advertiser whose product settles as soon as a plan finishes. It costs 5.00 per impression,
 * unless a test names another price for a thousand. With `film` it has a video as well, and a slot for one.
 */
export async function openMarket(
  installation: Installation,
  admin: Operator,
  finance: Operator,
  { price = '5000.00', film = false }: { price?: string; film?: boolean } = {},
) {
  const added = await installation.staff<{ id: string; request_id: string; claim_url: string }>(
    admin,
    'advertiser',
    'add',
    'Aurora Roasters',
  );
  const product = await installation.file(
    'product.toml',
    `advertiser = ${added.id}
name = "Aurora Coffee"
summary = "Coffee roasted to order"
image = "/products/aurora-coffee.svg"
min_put = "10.00"
max_put = "500.00"
payout = "30.00"
attribution_days = 0
fee_rate = "0.10"
[put_rule]
pricing = "cpm"
price = "${price}"
days = 7
[content.landing_page]
title = "Coffee roasted the day you order"
text = "Six origins, three roasts"
image = "/products/aurora-coffee.svg"
[openrtb]
domain = "aurora.example"

[openrtb.picture]
type = "image/svg+xml"
width = 1200
height = 628
${film ? filmTerms : ''}`,
  );
  const terms = await installation.staff<{ id: string }>(admin, 'product', 'add', product);
  await installation.staff(finance, 'request', 'approve', terms.id);
  await addSlot(installation, admin, 'news-top', 'landing_page');
  if (film) await addSlot(installation, admin, 'news-film', 'video');
  await installation.start();
  const advertiser = {
    id: added.id,
    key: await takeKey(installation, finance, added.request_id, added.claim_url),
  };
  const paidIn = await installation.staff<{ id: string }>(
    finance,
    'advertiser',
    'fund',
    advertiser.id,
    '1000.00',
    '--reference',
    'ADV-1',
  );
  await installation.staff(admin, 'advertiser', 'approve', paidIn.id);
  // Nothing is offered before the server knows of the money.
  await installation.restart();
  return advertiser;
}

type Served = { creative: { title: string }; impression_url: string; click_url: string };

/** A visitor reads the publisher's page: the creative is requested and seen. */
export async function read(installation: Installation): Promise<Served | null> {
  const headers = { 'User-Agent': browser };
  const answer = await fetch(`${installation.base}/ads/slot/news-top?format=json`, { headers });
  if (answer.status === 204) return null;
  if (!answer.ok) throw new Error(`the slot answered ${answer.status}: ${await answer.text()}`);
  const served = (await answer.json()) as Served;
  await see(served);
  return served;
}

/** The creative reports that it was seen; each report after the first does not count. */
export async function see(served: Served) {
  const pixel = await fetch(served.impression_url, { headers: { 'User-Agent': browser } });
  if (pixel.headers.get('content-type') !== 'image/gif') throw new Error('no pixel');
}

/** The visitor clicks a moment later and lands with a click id. */
export async function click(served: Served) {
  await new Promise((moment) => setTimeout(moment, 300));
  const headers = { 'User-Agent': browser };
  const answer = await fetch(served.click_url, { headers, redirect: 'manual' });
  const location = answer.headers.get('location') ?? '';
  return new URL(location, served.click_url).searchParams.get('click_id') ?? '';
}

/** The advertiser's server reports a sale with a signed request. */
export async function report(
  installation: Installation,
  advertiser: { id: string; key: string },
  event: { event_id: string; click_id: string },
) {
  const body = JSON.stringify(event);
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = createHmac('sha256', advertiser.key)
    .update(`${timestamp}\nPOST\n/t/postback\n${body}`)
    .digest('hex');
  const answer = await fetch(`${installation.base}/t/postback`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'X-Advertiser': advertiser.id,
      'X-Timestamp': timestamp,
      'X-Signature': signature,
    },
    body,
  });
  return (await answer.json()) as { accepted: boolean; duplicate: boolean; reason: string | null };
}
