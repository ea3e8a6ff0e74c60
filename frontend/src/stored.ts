/*
 * What a browser stores of the app. Private windows may refuse it, and others may have written
 * there: then nothing was stored.
 */

type Place = 'localStorage' | 'sessionStorage';

/** What is stored under a name that begins so is gone after logging out. */
export const untilLogout = 'placard_draft_';

/** As it is, such as a word. */
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
    // Without storage, what is stored is known as long as the page is open.
  }
}
