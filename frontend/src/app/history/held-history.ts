import { closeTopLayer } from '@/ui/layers/layers';

/** The position in the history that is shown, by the router's number. */
let shown = step();
let restoring = false;

function step(): number {
  return window.history.state?.idx ?? 0;
}

/**
 * A phone's Back should close what lies over the page and stay on the page. By then the browser has
 * already gone back, so it is sent forward again before the router notices. If no page of ours came
 * before, there is no event: Back leaves the app.
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

/** In the capturing phase, before the router's own listener. */
export function holdHistory(): () => void {
  window.addEventListener('popstate', onPop, true);
  return () => window.removeEventListener('popstate', onPop, true);
}

/** Called with each page that is shown. */
export function noteStep() {
  shown = step();
  restoring = false;
}
