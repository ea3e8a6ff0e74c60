import { useEffect, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { createSessionMap } from './session-map';

const stored = createSessionMap<unknown>();

/** State that is restored when one goes back to the page, but not when the page is opened again. */
export function useEntryState<T>(name: string, initial: T): [T, (next: T) => void] {
  const { key, pathname } = useLocation();
  const entry = `${key} ${pathname} ${name}`;
  const [state, setState] = useState(() =>
    stored.has(entry) ? (stored.get(entry) as T) : initial,
  );
  useEffect(() => {
    stored.set(entry, state);
  }, [entry, state]);
  return [state, setState];
}

/**
 * Sets the state with this name on every page in the history, for example after another page has
 * used it.
 */
export function setEntryStates<T>(name: string, next: T) {
  for (const entry of stored.keys()) if (entry.endsWith(` ${name}`)) stored.set(entry, next);
}
