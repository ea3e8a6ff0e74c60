import { useLayoutEffect, useRef, useState } from 'react';
import { decimalsOf } from '@/i18n/format';
import { prefersReducedMotion } from '@/ui/motion';

const lastsMs = 500;

const eased = (share: number) => 1 - (1 - share) ** 3;

/** An amount between two others, with as many decimals as the second has. */
function between(from: string, to: string, share: number): string {
  return (Number(from) + (Number(to) - Number(from)) * eased(share)).toFixed(decimalsOf(to));
}

/**
 * The value on its way from what it was before: only where the same figure changes before the
 * user's eyes. `of` says which figure it is; another one is simply there.
 */
export function useCountUp(value: string, of: string): string {
  const [shown, setShown] = useState(value);
  const last = useRef({ value, of, shown: value });

  useLayoutEffect(() => {
    const before = last.current;
    if (before.value === value && before.of === of) return;
    const from = before.shown;
    const still = before.of !== of || document.hidden || prefersReducedMotion();
    last.current = { value, of, shown: still ? value : from };
    const show = (next: string) => {
      last.current.shown = next;
      setShown(next);
    };
    if (still) return show(value);
    const start = performance.now();
    let frame = requestAnimationFrame(function next(now) {
      const share = Math.max(0, (now - start) / lastsMs);
      show(share < 1 ? between(from, value, share) : value);
      if (share < 1) frame = requestAnimationFrame(next);
    });
    return () => cancelAnimationFrame(frame);
  }, [value, of]);

  // Until the effect has run, another figure must not show the value of the previous one.
  return last.current.of === of ? shown : value;
}
