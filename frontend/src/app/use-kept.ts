import { useState } from 'react';
import { session } from '@/api/session';

const kept = new Map<string, string>();

let token = session.get().token;
session.subscribe(() => {
  if (session.get().token === token) return;
  token = session.get().token;
  kept.clear();
});

/**
 * Text that outlives its form: who is led away to set a password or bind a card finds what was
 * typed on coming back. It is kept in memory alone, and for whoever is signed in.
 */
export function useKept(name: string): [string, (text: string) => void] {
  const [text, setText] = useState(() => kept.get(name) ?? '');
  const keep = (next: string) => {
    kept.set(name, next);
    setText(next);
  };
  return [text, keep];
}
