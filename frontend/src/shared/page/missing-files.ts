const missing = new Set<HTMLLinkElement>();

/** Browsers differ in what a style sheet that could not be loaded looks like; all tell it once. */
export function noteMissingStyles() {
  const note = ({ target }: Event) => {
    const isStyle = target instanceof HTMLLinkElement && target.rel === 'stylesheet';
    if (isStyle) missing.add(target);
  };
  // The event is captured, because it does not bubble.
  window.addEventListener('error', note, { capture: true });
}

/** The loader asks for each style sheet once, also if it failed, and then takes it for loaded. */
export async function loadStylesAgain(): Promise<boolean> {
  const loaded = await Promise.all([...missing].map(loadAgain));
  return loaded.every(Boolean);
}

/** A style sheet that fails again is noted again. */
function loadAgain(link: HTMLLinkElement): Promise<boolean> {
  missing.delete(link);
  return new Promise((done) => {
    const again = document.createElement('link');
    again.rel = 'stylesheet';
    again.href = link.href;
    again.crossOrigin = link.crossOrigin;
    again.onload = () => done(true);
    again.onerror = () => done(false);
    if (link.isConnected) link.replaceWith(again);
    else document.head.append(again);
  });
}
