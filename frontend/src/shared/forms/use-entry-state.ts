import { useEffect, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { createKept } from './kept';

const kept = createKept<unknown>();

/** State that is there again when one comes back to the page, but not when the page is opened anew. */
export function useEntryState<T>(name: string, initial: T): [T, (next: T) => void] {
  const { key, pathname } = useLocation();
  const entry = `${key} ${pathname} ${name}`;
  const [state, setState] = useState(() => (kept.has(entry) ? (kept.get(entry) as T) : initial));
  useEffect(() => {
    kept.set(entry, state);
  }, [entry, state]);
  return [state, setState];
}

/** For what another page has done with: the state of this name, on every page of the history that has it. */
export function setEntryStates<T>(name: string, next: T) {
  for (const entry of kept.keys()) if (entry.endsWith(` ${name}`)) kept.set(entry, next);
}
