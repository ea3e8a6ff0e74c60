import { useEffect, useState } from 'react';

/** What refreshes by itself does so within less. */
const oldAfterMs = 120_000;

/** Whether something was read so long ago that its age is worth a line. */
export function useIsOld(asOf: number | null): boolean {
  const [old, setOld] = useState(false);
  useEffect(() => {
    if (asOf === null) return;
    setOld(false);
    const wait = setTimeout(() => setOld(true), Math.max(0, asOf + oldAfterMs - Date.now()));
    return () => clearTimeout(wait);
  }, [asOf]);
  return old;
}
