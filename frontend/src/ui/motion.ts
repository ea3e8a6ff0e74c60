/** Whether to avoid motion. This is true also if the browser cannot be asked. */
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
