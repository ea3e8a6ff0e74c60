/*
 * The app's storage in the browser. Private windows may refuse it, and others may have changed
 * it: both count as nothing stored.
 */

type Place = 'localStorage' | 'sessionStorage';

/** The prefix of names whose values are removed at the logout. */
export const untilLogout = 'placard_draft_';

/** Reads a text that is stored as it is, such as a word. */
export function readText(place: Place, key: string): string | null {
  try {
    return window[place].getItem(key);
  } catch {
    return null;
  }
}

export function readStored(place: Place, key: string): unknown {
  try {
    return JSON.parse(readText(place, key) ?? 'null');
  } catch {
    return null;
  }
}

/** Null is stored as nothing. */
export function store(place: Place, key: string, value: unknown) {
  try {
    if (value === null) window[place].removeItem(key);
    else window[place].setItem(key, typeof value === 'string' ? value : JSON.stringify(value));
  } catch {
    // Without storage, values are known only as long as the page is open.
  }
}
