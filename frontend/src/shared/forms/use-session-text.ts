import { useState } from 'react';
import { createSessionMap } from './session-map';

const stored = createSessionMap<string>();

/**
 * Text that outlives its form: after leaving to set a password or bind a card, users find what they
 * typed.
 */
export function useSessionText(name: string) {
  const [text, setText] = useState(() => stored.get(name) ?? '');
  const keep = (next: string) => {
    stored.set(name, next);
    setText(next);
  };
  /** Once it was sent; what was typed meanwhile stays. */
  const clear = (sent: string) => {
    if (stored.get(name) === sent) keep('');
  };
  return [text, keep, clear] as const;
}
