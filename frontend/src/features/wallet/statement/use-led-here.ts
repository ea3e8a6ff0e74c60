import { useEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router-dom';

/** Who followed a link to some of the lines is led to them; who comes back is where they left. */
export function useLedHere(wanted: boolean) {
  const here = useRef<HTMLDivElement>(null);
  const { key } = useLocation();
  const followed = useNavigationType() === 'PUSH';
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each link that is followed.
  useEffect(() => {
    if (!wanted || !followed) return;
    // A new page begins at its top: only then it is gone on from there.
    const frame = requestAnimationFrame(() => {
      here.current?.focus({ preventScroll: true });
      here.current?.scrollIntoView({ block: 'start' });
    });
    return () => cancelAnimationFrame(frame);
  }, [key]);
  return here;
}
