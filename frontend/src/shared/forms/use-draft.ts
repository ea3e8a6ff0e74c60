import { useState } from 'react';
import { session } from '@/api/session';
import { clearOnLogout } from './draft';

type Kept = { from: string; values: object };

/** The drafts are kept only in memory, because they may have account numbers. */
const kept = new Map<string, Kept>();
clearOnLogout(() => kept.clear());

// The drafts remain for a user who signs in again after the session has expired, and for nobody
// else.
let owner = session.get().user?.id;
session.subscribe(() => {
  const { user } = session.get();
  if (!user || user.id === owner) return;
  owner = user.id;
  kept.clear();
});

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
