/*
 * Runs beside a creative in its own frame. It reports, once, that the creative was viewable as the
 * MRC defines it: half of it was in view for a second without interruption, or for two while a
 * video played. It reports how far a video was played. It tells the page around it how high the creative is, or that there is none.
 */
import type { FrameMessage } from './frame-message';

const half = 0.5;

/** The message names nothing that the page around may not know, whoever that is. */
function tell(message: FrameMessage) {
  if (window.parent !== window) window.parent.postMessage({ placard: message }, '*');
}

function report(address: string) {
  new Image().src = address;
}

/** Calls `then` once the creative has been in view for long enough. */
function whenViewable(ad: HTMLElement, video: HTMLVideoElement | null, then: () => void) {
  let inView = false;
  let timer: number | undefined;
  const events = ['play', 'playing', 'pause', 'ended', 'waiting'];
  const check = () => {
    const counts =
      inView &&
      document.visibilityState === 'visible' &&
      (!video || (!video.paused && !video.ended));
    if (!counts) {
      clearTimeout(timer);
      timer = undefined;
    } else {
      timer ??= window.setTimeout(done, video ? 2_000 : 1_000);
    }
  };
  // Without a root it is the viewport of the topmost page, of whatever origin that is.
  const observer = new IntersectionObserver(
    (entries) => {
      inView = (entries[entries.length - 1]?.intersectionRatio ?? 0) >= half;
      check();
    },
    { threshold: half },
  );
  function done() {
    observer.disconnect();
    document.removeEventListener('visibilitychange', check);
    for (const name of events) video?.removeEventListener(name, check);
    then();
  }
  document.addEventListener('visibilitychange', check);
  for (const name of events) video?.addEventListener(name, check);
  observer.observe(ad);
}

/** What is reported of a video, by the names of VAST, in order. */
const steps = ['start', 'firstQuartile', 'midpoint', 'thirdQuartile', 'complete'];

/** Calls `then` with each step once. A video that begins anew was played to its end. */
function whenPlayed(video: HTMLVideoElement, then: (step: string) => void) {
  let next = 0;
  let last = 0;
  const check = () => {
    const { currentTime, duration } = video;
    if (currentTime === 0 && last === 0) return;
    const reached =
      currentTime < last ? steps.length : Math.floor((4 * currentTime) / duration) + 1;
    last = currentTime;
    for (const step of steps.slice(next, reached)) then(step);
    next = Math.max(next, reached);
    if (next >= steps.length) video.removeEventListener('timeupdate', check);
  };
  video.addEventListener('timeupdate', check);
  check();
}

/** A picture that came, or did not. */
function settled(image: HTMLImageElement) {
  if (image.complete) return Promise.resolve(image.naturalWidth > 0);
  return new Promise<boolean>((came) => {
    image.addEventListener('load', () => came(true), { once: true });
    image.addEventListener('error', () => came(false), { once: true });
  });
}

/**
 * Tells the page around it how high the creative is. A page with less room, such as one in a frame of an ad server,
 * gives it all that it has: the creative fills that, as in a place of a fixed size, and nothing of it is cut off.
 */
function show(ad: HTMLElement) {
  const { dataset } = document.documentElement;
  const { fit } = dataset;
  const measure = () => {
    const height = Math.ceil(ad.getBoundingClientRect().height);
    tell({ kind: 'shown', label: ad.dataset.label ?? '', height });
    return height;
  };
  measure();
  if (!fit) return;
  window.addEventListener('resize', () => {
    dataset.fit = fit;
    // What is zoomed is rounded, by less than a pixel.
    if (measure() > window.innerHeight + 1) delete dataset.fit;
  });
}

async function start() {
  const ad = document.querySelector<HTMLElement>('[data-viewable]');
  if (!ad) {
    tell({ kind: 'nothing' });
    return;
  }
  const video = ad.querySelector('video');
  show(ad);
  const picture = ad.querySelector<HTMLImageElement>('a img');
  const view = document.querySelector<HTMLImageElement>('img[data-view]');
  // It counts from when there is something to see, and after the view that it is one of.
  if (picture && !(await settled(picture))) return;
  if (!view || !(await settled(view))) return;
  const played = ad.dataset.played;
  if (video && played) whenPlayed(video, (step) => report(`${played}${step}.gif`));
  const address = ad.dataset.viewable;
  if (address && 'IntersectionObserver' in window) whenViewable(ad, video, () => report(address));
}

void start();
