import { useState } from 'react';
import { createKept } from './kept';

const kept = createKept<string>();

/**
 * Text that outlives its form: after leaving to set a password or bind a card, users find what they
 * typed.
 */
export function useKept(name: string): [string, (text: string) => void] {
  const [text, setText] = useState(() => kept.get(name) ?? '');
  const keep = (next: string) => {
    kept.set(name, next);
    setText(next);
  };
  return [text, keep];
}
