import { closeTopLayer, hasLayer, onLayers } from '@/ui/layers/layers';

/** The position in the history that is shown, by the router's number. */
let shown = step();
/** Steps that this file takes itself are no news for the router. */
let awaited: 'forward' | 'down' | null = null;

type Entry = { idx?: number; held?: true } | null;

function entry(): Entry {
  return window.history.state;
}

function step(): number {
  return entry()?.idx ?? 0;
}

/**
 * A phone's Back should close what lies over the page and stay on the page. By then the browser has
 * already gone back, so it is sent forward again before the router notices.
 */
function onPop(event: PopStateEvent) {
  if (awaited === 'down') {
    // Somebody went to another page in this moment. The step down follows, and comes from there.
    if (!entry()) return;
    if (entry()?.held) return takeAgain(event);
  }
  if (awaited) {
    awaited = null;
    shown = step();
    event.stopImmediatePropagation();
    stepDownSoon();
    return;
  }
  const back = shown - step();
  if (back <= 0 || !entry() || !closeTopLayer()) return;
  event.stopImmediatePropagation();
  awaited = 'forward';
  window.history.go(back);
}

/** The step down took back the page that was opened meanwhile. */
function takeAgain(event: PopStateEvent) {
  event.stopImmediatePropagation();
  awaited = 'forward';
  window.history.forward();
}

/**
 * Adds an entry for the first page. There, Back would leave the app without an event, so a layer
 * that opens there needs an entry below it that shows the same page.
 */
function holdFirstPage() {
  if (step() > 0 || awaited) return;
  window.history.pushState({ ...entry(), idx: 1, held: true }, '', window.location.href);
  shown = 1;
}

/** Leaves that entry when nothing is open any more, or the next Back would seem to do nothing. */
function stepDown() {
  if (awaited || hasLayer() || !entry()?.held) return;
  awaited = 'down';
  window.history.back();
}

/** A link in a sheet closes the sheet and leads to its page: that comes first. */
const stepDownSoon = () => void setTimeout(stepDown);

let listening = false;
// Added before the router's own: Chromium calls a window's listeners for this event in the order in
// which they were added, whether they are of the capturing phase or not.
window.addEventListener('popstate', (event) => listening && onPop(event), true);

export function closeLayersOnBack(): () => void {
  // A step that was taken while nobody listened is not awaited any more.
  awaited = null;
  shown = step();
  listening = true;
  const unheard = onLayers((open) => (open ? holdFirstPage() : stepDownSoon()));
  return () => {
    listening = false;
    unheard();
  };
}

/** Called with each page that is shown. */
export function noteStep() {
  const now = step();
  // Until the browser has completed our own step, its position is not the page's.
  if (awaited === 'down' || (awaited && now <= shown)) return;
  shown = now;
  awaited = null;
  stepDownSoon();
}
