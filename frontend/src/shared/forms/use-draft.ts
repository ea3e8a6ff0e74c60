import { useState } from 'react';
import { createSessionMap } from './session-map';

type Kept = { from: string; values: object };

/** The drafts are kept only in memory, because they may have account numbers. */
const kept = createSessionMap<Kept>();

/**
 * Keeps the values of a form until it is sent, so that they are there again after the form was
 * closed or left. If the initial values have changed meanwhile, the form begins with those.
 */
export function useDraft<V extends object>(name: string, start: () => V) {
  const [initial] = useState(start);
  const from = JSON.stringify(initial);
  const [values, setValues] = useState(() => {
    const before = kept.get(name);
    return before?.from === from ? (before.values as V) : initial;
  });
  const keep = (next: V) => {
    kept.set(name, { from, values: next });
    setValues(next);
  };
  /** Drops the draft once it was sent. */
  const drop = () => void kept.delete(name);
  return [values, keep, drop] as const;
}
