import { useEffect, useState } from 'react';

/** A sheet's motion, and the time in which the second tap of a double tap comes, in milliseconds. */
export const OPENING_MS = 400;

/**
 * True while what was opened has just appeared: a press then is the rest of the one that opened it,
 * and must not type a digit of a password.
 */
export function useJustOpened(): boolean {
  const [opening, setOpening] = useState(true);
  useEffect(() => {
    const timer = setTimeout(() => setOpening(false), OPENING_MS);
    return () => clearTimeout(timer);
  }, []);
  return opening;
}
