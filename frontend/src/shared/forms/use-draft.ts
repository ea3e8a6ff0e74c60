import { useState } from 'react';
import { session } from '@/api/session';
import { clearOnLogout } from './draft';

type Kept = { from: string; values: object };

/** Only in memory: among it are account numbers. */
const kept = new Map<string, Kept>();
clearOnLogout(() => kept.clear());

// Who signs in again after the session has expired finds it; nobody else does.
let owner = session.get().user?.id;
session.subscribe(() => {
  const { user } = session.get();
  if (!user || user.id === owner) return;
  owner = user.id;
  kept.clear();
});

/**
 * What is typed into a form, until it was sent: it is there again after the form was closed or left.
 * If what the form begins with has changed meanwhile, it begins with that.
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
  /** It was sent. */
  const drop = () => void kept.delete(name);
  return [values, keep, drop] as const;
}
