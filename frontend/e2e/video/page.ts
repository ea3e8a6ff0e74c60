/** The versions of VAST, with their numbers in `protocols`. */
export const versions = { '2.0': 2, '3.0': 3, '4.0': 7, '4.1': 11, '4.2': 13 };

/**
 * A page that asks for a video in each version of VAST, and plays it in a player of its own: before
 * its own films (in-stream), or alone between its paragraphs (out-stream), where it is gone afterwards.
 */
export function videoPage(server: string, placement: 'in-stream' | 'out-stream') {
  const video = {
    mimes: ['video/mp4'],
    minduration: 1,
    maxduration: 30,
    w: 320,
    h: 180,
    plcmt: placement === 'in-stream' ? 1 : 4,
    linearity: 1,
    skip: 1,
    skipafter: 1,
  };
  const ext = { prebid: { bidder: { placard: { slot: 'news-film' } } } };
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>Films</title>
    <script src="/player.js"></script>
  </head>
  <body>
    ${Object.keys(versions)
      .map((version) => `<div data-version="${version}"></div>`)
      .join('')}
    <script>
      async function ask(version, protocol) {
        const video = { ...${JSON.stringify(video)}, protocols: [protocol] };
        const imp = [{ id: version, video, ext: ${JSON.stringify(ext)} }];
        const site = { page: location.href, domain: location.hostname };
        const device = { ua: navigator.userAgent, w: screen.width, h: screen.height };
        const body = JSON.stringify({ id: version, imp, site, device });
        const answer = await fetch('${server}/openrtb2/auction', { method: 'POST', body });
        const [bid] = (await answer.json()).seatbid[0].bid;
        play(document.querySelector('[data-version="' + version + '"]'), bid.adm);
      }
      // A player counts a quarter only during the second in which it falls. However slow the machine is, none is left out.
      function everySecond(player) {
        let seen = -1;
        player.addEventListener('emptied', () => { seen = -1; });
        player.addEventListener('timeupdate', () => {
          if (Math.floor(player.currentTime) > seen + 1) player.currentTime = seen + 1;
          seen = Math.floor(player.currentTime);
        });
      }
      function play(place, vast) {
        place.dataset.vast = new DOMParser().parseFromString(vast, 'text/xml').documentElement.getAttribute('version');
        const player = Object.assign(document.createElement('video'), { width: 200, height: 112 });
        // The films that are played to their end, at twice the speed.
        player.defaultPlaybackRate = ${placement === 'in-stream' ? 2 : 1};
        player.innerHTML = '<source src="/film.mp4" type="video/mp4">';
        place.replaceChildren(player);
        everySecond(player);
        const vastTag = URL.createObjectURL(new Blob([vast], { type: 'text/xml' }));
        const isOver = () => ${placement === 'out-stream' ? 'place.remove()' : '{}'};
        fluidPlayer(player, {
          layoutControls: { autoPlay: true, mute: true },
          vastOptions: {
            adList: [{ roll: 'preRoll', vastTag }],
            vastAdvanced: { vastVideoEndedCallback: isOver, vastVideoSkippedCallback: isOver },
          },
        });
      }
      for (const [version, protocol] of Object.entries(${JSON.stringify(versions)})) ask(version, protocol);
    </script>
  </body>
</html>`;
}

/** A page whose player asks for an ad by the slot's own address, before the publisher's film. */
export function slotPage(server: string) {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>A film</title>
    <script src="/player.js"></script>
  </head>
  <body>
    <video id="film" width="200" height="112"><source src="/film.mp4" type="video/mp4"></video>
    <script>
      const film = document.getElementById('film');
      film.defaultPlaybackRate = 2;
      fluidPlayer(film, {
        layoutControls: { autoPlay: true, mute: true },
        vastOptions: { adList: [{ roll: 'preRoll', vastTag: '${server}/ads/vast/news-film' }] },
      });
    </script>
  </body>
</html>`;
}
