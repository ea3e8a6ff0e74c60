/** Also where a browser cannot be asked: nothing moves that need not. */
export function prefersStillness(): boolean {
  return window.matchMedia?.('(prefers-reduced-motion: reduce)').matches ?? true;
}

/** A key's answer for the thumb, on devices that can give one. */
export function tick() {
  if (!prefersStillness()) navigator.vibrate?.(8);
}
