import { type RefObject, useLayoutEffect, useRef } from 'react';

/**
 * Scrolls a row sideways to what is chosen in it, also for who comes by an address: what is chosen
 * beyond the edge would look like nothing. `texts` are what its place depends on.
 */
export function useChosenInView(row: RefObject<HTMLElement | null>, chosen: number, texts: string) {
  const moved = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a text that changes moves what follows.
  useLayoutEffect(() => {
    // At its start the row stands by itself, and measuring it would hold the page's first frame.
    if (chosen <= 0 && !moved.current) return;
    const list = row.current;
    const item = list?.children[chosen];
    if (!list || !(item instanceof HTMLElement)) return;
    moved.current = true;
    list.scrollLeft = item.offsetLeft - (list.clientWidth - item.offsetWidth) / 2;
  }, [row, chosen, texts]);
}
