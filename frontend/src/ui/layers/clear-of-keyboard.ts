/** In pixels. The bars of a browser, which come and go, are lower than any keyboard. */
const lowestKeyboard = 120;

/**
 * Tells a layer how much of the screen's bottom a keyboard covers, and how high what is left is. An
 * iPhone lays its keyboard over the page and makes no room for it, so the end of a sheet would be
 * out of reach. Where the browser makes room itself, nothing is covered.
 */
export function keepClearOfKeyboard(panel: HTMLElement): () => void {
  const seen = window.visualViewport;
  if (!seen) return () => {};
  const fit = () => {
    const covered = window.innerHeight - seen.offsetTop - seen.height;
    // Fingers that zoom in make it smaller as well.
    const typing = seen.scale === 1 && window.innerHeight - seen.height >= lowestKeyboard;
    set(panel, '--covered', typing && Math.max(covered, 0));
    set(panel, '--in-sight', typing && seen.height);
  };
  fit();
  seen.addEventListener('resize', fit);
  seen.addEventListener('scroll', fit);
  return () => {
    seen.removeEventListener('resize', fit);
    seen.removeEventListener('scroll', fit);
  };
}

function set({ style }: HTMLElement, name: string, pixels: number | false) {
  if (pixels === false) style.removeProperty(name);
  else style.setProperty(name, `${pixels}px`);
}
