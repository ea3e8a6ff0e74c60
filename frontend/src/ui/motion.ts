/** Also where a browser cannot be asked: nothing moves that need not. */
export function prefersReducedMotion(): boolean {
  return window.matchMedia?.('(prefers-reduced-motion: reduce)').matches ?? true;
}

/** A key's answer for the thumb, where a device can give one; what the eye sees goes first. */
export function tick() {
  if (!('vibrate' in navigator)) return;
  requestAnimationFrame(() =>
    setTimeout(() => {
      if (!prefersReducedMotion()) navigator.vibrate(8);
    }),
  );
}
