import { session } from '@/api/session';
import { currentPlace } from '@/shared/navigation/navigation';
import { readStored, store } from '@/stored';

/*
 * The paths of the history's entries that this visit made. They outlive a reload, as the history
 * itself does.
 */
const storageKey = 'placard_history';
let paths: (string | null)[] | null = null;

const position = (): number => window.history.state?.idx ?? 0;

function known(): (string | null)[] {
  paths ??= stored();
  return paths;
}

function stored(): (string | null)[] {
  const found = readStored('sessionStorage', storageKey);
  return Array.isArray(found) ? found : [];
}

function note(at: number, path: string) {
  const all = known();
  all[at] = path;
  // Nothing about a visit remains after signing out.
  store('sessionStorage', storageKey, session.get().token ? all : null);
}

export function noteEntry() {
  note(position(), currentPlace().pathname);
}

/**
 * Whether one step back leads to this page, so that a new entry would only lengthen the history.
 */
export function isPreviousPage(path: string): boolean {
  const at = position();
  return at > 0 && known()[at - 1] === path;
}

/**
 * Puts the ad center below a shown tab that is the history's first page, such as one opened by its
 * address: Back leads there, and the app is left only from there.
 */
export function putHomeBelow(home: string, tab: string) {
  const { state } = window.history;
  // Going back to the ad center, the address is ahead of the page.
  if (position() > 0 || currentPlace().pathname !== tab) return;
  const here = window.location.href;
  window.history.replaceState({ usr: null, key: 'home', idx: 0 }, '', `#${home}`);
  note(0, home);
  window.history.pushState({ ...state, idx: 1 }, '', here);
}
