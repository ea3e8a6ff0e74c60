/**
 * The element that led to another page: a link on the page, or a row of a list with its content.
 */
export type Opened = { row: string | null; href: string | null };

const controls = 'a[href], button';

/** `undefined` if nothing of the page's own was pressed, `null` if nothing changed. */
export function openedBy(target: EventTarget | null): Opened | undefined | null {
  const control = target instanceof Element ? target.closest(controls) : null;
  if (!control) return null;
  const row = control.closest<HTMLElement>('[data-row]')?.dataset.row ?? null;
  const href = control.getAttribute('href');
  if (row !== null) return { row, href };
  // A sheet shows more about the row that was pressed before.
  if (control.closest('[role="dialog"]')) return null;
  return href && control.closest('main') ? { row, href } : undefined;
}

/** `undefined` if there is nothing to look for, `null` if it is not there (yet). */
export function findOpened(opened: Opened | undefined): HTMLElement | null | undefined {
  if (!opened) return undefined;
  const { row, href } = opened;
  const around = row === null ? document.querySelector('main') : rowOf(row);
  const inside = [...(around?.querySelectorAll<HTMLElement>(controls) ?? [])];
  const link = href && inside.find((control) => control.getAttribute('href') === href);
  return link || (row !== null && inside[0]) || null;
}

function rowOf(row: string): Element | undefined {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')];
  return rows.find((one) => one.dataset.row === row);
}

/** After this time, a jump would only surprise the user. */
const patienceMs = 3000;
const acts = ['pointerdown', 'touchstart', 'wheel', 'keydown'];

/**
 * Scrolls back at once if the page is as it was, otherwise when it has become long enough. If the
 * user touches the page meanwhile, nothing happens.
 */
export function returnTo(top: number, find: () => HTMLElement | null | undefined): () => void {
  let focused = false;
  const observer = new MutationObserver(() => attempt() && stop());
  const timer = setTimeout(stop, patienceMs);

  function attempt(): boolean {
    const opened = find();
    if (opened && !focused) {
      opened.focus();
      focused = true;
    }
    window.scrollTo(0, top);
    return (focused || opened === undefined) && Math.abs(window.scrollY - top) < 1;
  }

  function stop() {
    observer.disconnect();
    clearTimeout(timer);
    for (const act of acts) window.removeEventListener(act, stop);
  }

  if (attempt()) {
    clearTimeout(timer);
    return stop;
  }
  for (const act of acts) window.addEventListener(act, stop, { passive: true });
  observer.observe(document.body, { childList: true, subtree: true });
  return stop;
}
