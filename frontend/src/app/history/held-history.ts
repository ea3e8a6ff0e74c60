import { closeTopLayer } from '@/ui/layers/layers';

/** The step of the history that is shown, by the number that the router gave it. */
let shown = step();
let restoring = false;

function step(): number {
  return window.history.state?.idx ?? 0;
}

/**
 * A phone's Back closes what lies over the page and leaves the page. By then the browser has gone
 * back, so it is sent forward again before the router hears of either. Where no page of ours came
 * before there is nothing to hear: Back leaves the app.
 */
function onPop(event: PopStateEvent) {
  if (restoring) {
    restoring = false;
    event.stopImmediatePropagation();
    return;
  }
  const back = shown - step();
  if (back <= 0 || !window.history.state || !closeTopLayer()) return;
  event.stopImmediatePropagation();
  restoring = true;
  window.history.go(back);
}

/** In the capturing phase, which comes before the router's own ear. */
export function holdHistory(): () => void {
  window.addEventListener('popstate', onPop, true);
  return () => window.removeEventListener('popstate', onPop, true);
}

/** With each page that is shown. */
export function noteStep() {
  shown = step();
  restoring = false;
}
