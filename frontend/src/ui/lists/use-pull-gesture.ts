import { type RefObject, useEffect, useRef, useState } from 'react';
import { tick } from '@/ui/motion';

/** `ready` is far enough: whoever lets go there refreshes. */
type Pull = 'rest' | 'pulling' | 'ready';

const pullDistance = 64;
const slop = 8;

/** Follows the finger less and less. */
const eased = (way: number) => (way < pullDistance ? way : pullDistance + (way - pullDistance) / 4);

/**
 * Pulling down at the top of the page. The listeners are passive, so that no scrolling waits for
 * them: the page's own overscroll is switched off, and there is nothing to prevent. The distance is
 * written past React, which would draw the whole page with each movement.
 */
export function usePullGesture(root: RefObject<HTMLElement | null>, onPull: () => void): Pull {
  const [pull, setPull] = useState<Pull>('rest');
  const release = useRef(onPull);
  release.current = onPull;

  useEffect(() => {
    const element = root.current;
    if (!element) return;
    let start: Touch | null = null;
    let state: Pull = 'rest';

    const change = (next: Pull, way: number) => {
      element.style.setProperty('--pull', `${eased(way)}px`);
      if (next === state) return;
      if (next === 'ready') tick();
      state = next;
      setPull(next);
    };
    const onStart = ({ touches }: TouchEvent) => {
      start = touches.length === 1 && window.scrollY <= 0 ? (touches[0] ?? null) : null;
    };
    const onMove = ({ touches: [touch] }: TouchEvent) => {
      if (!start || !touch) return;
      const down = touch.clientY - start.clientY - slop;
      const aside = Math.abs(touch.clientX - start.clientX);
      // A gesture that begins sideways, or that scrolls, is not a pull.
      if (state === 'rest' && (aside > slop || down < -slop || window.scrollY > 0)) start = null;
      else if (down <= 0) change('rest', 0);
      else change(down < pullDistance ? 'pulling' : 'ready', down);
    };
    const onEnd = ({ type }: TouchEvent) => {
      const far = state === 'ready' && type === 'touchend';
      start = null;
      change('rest', 0);
      if (far) release.current();
    };
    const listeners = {
      touchstart: onStart,
      touchmove: onMove,
      touchend: onEnd,
      touchcancel: onEnd,
    };
    for (const [type, listener] of Object.entries(listeners)) {
      element.addEventListener(type, listener as EventListener, { passive: true });
    }
    return () => {
      for (const [type, listener] of Object.entries(listeners)) {
        element.removeEventListener(type, listener as EventListener);
      }
    };
  }, [root]);

  return pull;
}
