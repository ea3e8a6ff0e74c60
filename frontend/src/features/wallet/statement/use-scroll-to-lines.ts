import { useEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router-dom';

/**
 * After a link to some of the lines, scrolls to them; after going back, the position is restored.
 */
export function useScrollToLines(wanted: boolean) {
  const here = useRef<HTMLDivElement>(null);
  const { key } = useLocation();
  const followed = useNavigationType() === 'PUSH';
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each link that is followed.
  useEffect(() => {
    if (!wanted || !followed) return;
    // A new page begins at its top, so this comes after that.
    const frame = requestAnimationFrame(() => {
      here.current?.focus({ preventScroll: true });
      here.current?.scrollIntoView({ block: 'start' });
    });
    return () => cancelAnimationFrame(frame);
  }, [key]);
  return here;
}
