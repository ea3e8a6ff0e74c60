import { createServer } from 'node:http';
import { freePort } from '../installation.ts';

type Imp = { id: string; video?: object; native?: object };

/** What it bids for a unit, in its how manieth auction. */
type Price = (unit: string, auction: number) => number;

export const rivalTitle = 'Tea from somebody else';

/** Another bidder’s server. It bids the same price for everything, unless a test says more. */
export async function rivalServer(price: number | Price) {
  const port = await freePort();
  let auctions = 0;
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    const { id, imp } = JSON.parse(body) as { id: string; imp: Imp[] };
    const bid = imp.map((asked) => ({
      id: asked.id,
      impid: asked.id,
      price: typeof price === 'number' ? price : price(asked.id, auctions),
      crid: 'tea',
      ...shown(asked),
    }));
    auctions += 1;
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

function shown({ video, native }: Imp) {
  if (video) return { adm: film, w: 320, h: 180, mtype: 2 };
  if (!native) return { adm: `<p>${rivalTitle}</p>`, w: 300, h: 250, mtype: 1 };
  const assets = [
    { id: 1, title: { text: rivalTitle } },
    { id: 2, img: { url: '/tea.svg', w: 1200, h: 628 } },
  ];
  return { adm: JSON.stringify({ assets, link: { url: 'https://tea.example/' } }), mtype: 4 };
}

/** It plays the publisher’s own film, and tells nobody. */
const film = [
  `<VAST version="3.0"><Ad id="tea"><InLine><AdSystem>Rival</AdSystem><AdTitle>${rivalTitle}</AdTitle>`,
  '<Impression><![CDATA[/seen.gif]]></Impression><Creatives><Creative><Linear><Duration>00:00:20</Duration>',
  '<VideoClicks><ClickThrough><![CDATA[https://tea.example/]]></ClickThrough></VideoClicks><MediaFiles>',
  '<MediaFile delivery="progressive" type="video/mp4" width="320" height="180"><![CDATA[/film.mp4]]></MediaFile>',
  '</MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>',
].join('');
