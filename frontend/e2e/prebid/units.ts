/** The units of a page of a publisher: two banners, a native ad, and a film in its article. */
export const units = ['top', 'side', 'feed', 'film'];

const banner = { banner: { sizes: [[300, 250]] } };
const native = {
  native: {
    ortb: {
      ver: '1.2',
      assets: [
        { id: 1, required: 1, title: { len: 80 } },
        { id: 2, required: 1, img: { type: 3, wmin: 300, hmin: 157 } },
      ],
    },
  },
};
const video = {
  video: {
    context: 'outstream',
    playerSize: [320, 180],
    mimes: ['video/mp4'],
    protocols: [2, 3, 7],
    minduration: 1,
    maxduration: 30,
    plcmt: 4,
    playbackmethod: [6],
    linearity: 1,
  },
};

function unit(code: string, mediaTypes: object, slot: string) {
  const bids = [
    { bidder: 'placard', params: { slot } },
    { bidder: 'rival', params: {} },
  ];
  return { code, mediaTypes, bids };
}

const all = [
  unit('top', banner, 'news-top'),
  unit('side', banner, 'news-top'),
  unit('feed', native, 'news-top'),
  unit('film', video, 'news-film'),
];

/** What the reader’s consent tool says; without one, nobody says whether the GDPR applies. */
export type Consent = { gdprApplies: boolean; tcString: string };

function bidder(name: string, endpoint: string) {
  return {
    accountId: '1',
    adapter: 'prebidServer',
    enabled: true,
    bidders: [name],
    timeout: 30_000,
    endpoint,
  };
}

/** Each auction is held by `auction()`, which a page calls once, and again for a refresh. */
export function unitsPage(server: string, rival: string, consent?: Consent) {
  const s2sConfig = [bidder('placard', `${server}/openrtb2/auction`), bidder('rival', rival)];
  const asks = { gdpr: { cmpApi: 'iab', timeout: 30_000 } };
  const config = { s2sConfig, ...(consent && { consentManagement: asks }) };
  const said = consent && {
    ...consent,
    eventStatus: 'tcloaded',
    cmpStatus: 'loaded',
    listenerId: 1,
    tcfPolicyVersion: 5,
    purpose: { consents: { 1: true }, legitimateInterests: {} },
    vendor: { consents: {}, legitimateInterests: {} },
  };
  const tool = `window.__tcfapi = (command, version, answer) => answer(${JSON.stringify(said)}, true);`;
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>News</title>
    <script>${consent ? tool : ''}</script>
    <script src="/player.js"></script>
    <script async src="/prebid.js"></script>
    <script>
      var pbjs = window.pbjs || {};
      pbjs.que = pbjs.que || [];
      function auction() {
        pbjs.requestBids({ timeout: 40_000, bidsBackHandler: () => units.forEach(show) });
      }
      function show({ code }) {
        const [bid] = pbjs.getHighestCpmBids(code);
        if (!bid) return;
        const frame = document.createElement('iframe');
        frame.width = 300;
        frame.height = code === 'film' ? 0 : 250;
        document.getElementById(code).replaceChildren(frame);
        pbjs.renderAd(frame.contentDocument, bid.adId);
      }
      function play({ vastXml }) {
        const player = document.createElement('video');
        player.innerHTML = '<source src="/film.mp4" type="video/mp4">';
        document.getElementById('film').replaceChildren(player);
        const vastTag = URL.createObjectURL(new Blob([vastXml], { type: 'text/xml' }));
        fluidPlayer(player, {
          layoutControls: { autoPlay: true, mute: true },
          vastOptions: { adList: [{ roll: 'preRoll', vastTag }] },
        });
      }
      const units = ${JSON.stringify(all)};
      units.find(({ code }) => code === 'film').renderer = { render: play };
      pbjs.que.push(() => {
        pbjs.setConfig(${JSON.stringify(config)});
        pbjs.addAdUnits(units);
        auction();
      });
    </script>
  </head>
  <body>
    <h1>News</h1>
    ${units.map((code) => `<div id="${code}"></div>`).join('')}
  </body>
</html>`;
}
