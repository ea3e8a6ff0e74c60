/*
 * The tag that publishers put into their pages:
 *
 *   <script async src="https://…/tag.js" data-slot="KEY"></script>
 *
 * It asks for a creative when its place comes near the viewport, and shows it in a sandboxed frame
 * right after itself. Optional attributes:
 *
 *   data-width, data-height   a fixed size in CSS pixels; otherwise as wide as there is room, and
 *                             as high as the creative needs
 *   data-passback             what stands there when nothing fits: `#id` of an element of the page
 *                             that is hidden until then, or an address for a frame, which is 250
 *                             pixels high unless `data-height` says otherwise
 */
import { type FrameMessage, sandbox } from './frame-message';

/** How far from the viewport it asks, and how long it waits for an answer. */
const near = '200px';
const patienceMillis = 8_000;
/** No creative is higher than the window. */
const least = 30;
/** A page of somebody else does not say how high it is: room for the usual rectangle. */
const passbackHeight = 250;

const done = 'data-placard';

/** Some write the unit behind it, as in a style. */
function pixels(text: string | undefined) {
  const size = Number(text?.replace(/px\s*$/i, ''));
  return Number.isFinite(size) && size > 0 ? Math.round(size) : null;
}

function frame(place: HTMLElement, address: string, allowed: string) {
  const shown = document.createElement('iframe');
  shown.setAttribute('sandbox', allowed);
  shown.setAttribute('scrolling', 'no');
  shown.referrerPolicy = 'no-referrer';
  shown.style.cssText = 'display:block;border:0;width:100%;height:100%;color-scheme:normal';
  shown.src = address;
  place.append(shown);
  return shown;
}

/** The page says itself what it trusts here; nothing but a web page is opened in a frame. */
function passBack(script: HTMLScriptElement, place: HTMLElement) {
  // An app went on to another page, whose elements may have the same names.
  if (!script.isConnected && !place.isConnected) return;
  const { passback } = script.dataset;
  if (!passback) {
    place.remove();
    return;
  }
  if (passback.startsWith('#')) {
    const stands = place.isConnected ? place : script;
    // One of the two is on the page, maybe within a component.
    const root = stands.getRootNode() as Document | ShadowRoot;
    const id = passback.slice(1);
    const named = root.getElementById(id) ?? document.getElementById(id);
    if (named instanceof HTMLTemplateElement) stands.after(named.content.cloneNode(true));
    else if (named) named.hidden = false;
    place.remove();
    return;
  }
  const address = new URL(passback, document.baseURI);
  place.replaceChildren();
  if (/^https?:$/.test(address.protocol)) {
    if (pixels(script.dataset.height) === null) place.style.height = `${passbackHeight}px`;
    frame(place, address.href, `${sandbox} allow-same-origin allow-forms`);
  } else {
    place.remove();
  }
}

function ask(script: HTMLScriptElement, place: HTMLElement, slot: string, origin: string) {
  const height = pixels(script.dataset.height);
  const fit = height === null ? '?fit=content' : '';
  const shown = frame(place, `${origin}/ads/frame/${encodeURIComponent(slot)}${fit}`, sandbox);
  let wanted = 0;
  let given = 0;
  const give = () => {
    given = Math.max(least, Math.min(wanted, window.innerHeight));
    place.style.height = `${given}px`;
  };
  // A frame around this page may get its height later. A keyboard takes room for a while, and moves nothing.
  const grow = () => {
    if (given < Math.min(wanted, window.innerHeight)) give();
  };
  const giveUp = () => {
    stop();
    window.removeEventListener('message', hear);
    window.removeEventListener('resize', grow);
    passBack(script, place);
  };
  const timer = window.setTimeout(giveUp, patienceMillis);
  const stop = () => window.clearTimeout(timer);
  function hear({ source, data }: MessageEvent<{ placard?: FrameMessage } | null>) {
    const told = data?.placard;
    if (source !== shown.contentWindow || !told) return;
    if (told.kind === 'nothing') {
      giveUp();
      return;
    }
    stop();
    shown.title = String(told.label);
    wanted = Number(told.height);
    if (height === null && wanted > 0) give();
  }
  if (height === null) window.addEventListener('resize', grow);
  window.addEventListener('message', hear);
}

function whenNear(place: HTMLElement, then: () => void) {
  if (!('IntersectionObserver' in window)) {
    then();
    return;
  }
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      observer.disconnect();
      then();
    },
    { rootMargin: near },
  );
  observer.observe(place);
}

/**
 * Right after the script. A frame of an ad server may have nothing but the tag: a browser puts that into the head, where
 * nothing is shown.
 */
function put(script: HTMLScriptElement, place: HTMLElement, then: () => void) {
  if (window.parent === window || !script.closest('head')) {
    script.after(place);
    then();
    return;
  }
  const begin = () => {
    document.body.prepend(place);
    then();
  };
  if (document.body) begin();
  else document.addEventListener('DOMContentLoaded', begin, { once: true });
}

function start(script: HTMLScriptElement) {
  // A key that was pasted has blanks around it.
  const slot = script.dataset.slot?.trim();
  if (!slot || script.hasAttribute(done)) return;
  script.setAttribute(done, '');
  const place = document.createElement('div');
  const [width, height] = [pixels(script.dataset.width), pixels(script.dataset.height)];
  place.style.width = width === null ? '100%' : `min(100%, ${width}px)`;
  place.style.height = `${height ?? 1}px`;
  const begin = () => ask(script, place, slot, new URL(script.src).origin);
  put(script, place, () => whenNear(place, begin));
}

/** The page, and what its components have in shadow roots that a page may look into. */
function roots(root: Document | ShadowRoot): (Document | ShadowRoot)[] {
  const within = [...root.querySelectorAll('*')].flatMap(({ shadowRoot }) =>
    shadowRoot ? roots(shadowRoot) : [],
  );
  return [root, ...within];
}

// A loader may have put the script in so that the browser does not say which one is running, and in a shadow root it
// never says so (HTML, `document.currentScript`).
const running = document.currentScript;
if (running instanceof HTMLScriptElement) start(running);
else
  for (const root of roots(document))
    root.querySelectorAll<HTMLScriptElement>('script[data-slot][src*="/tag.js"]').forEach(start);
