import { type RefObject, useLayoutEffect, useRef } from 'react';

/**
 * Scrolls a row sideways to the chosen item, also for a user who came by an address: if the item
 * were beyond the edge, nothing would seem chosen. Its position depends on `texts`.
 */
export function useChosenInView(row: RefObject<HTMLElement | null>, chosen: number, texts: string) {
  const moved = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a text that changes moves what follows.
  useLayoutEffect(() => {
    // At its start, the row is in the right position already, and measuring it would delay the
    // page's first frame.
    if (chosen <= 0 && !moved.current) return;
    const list = row.current;
    const item = list?.children[chosen];
    if (!list || !(item instanceof HTMLElement)) return;
    moved.current = true;
    list.scrollLeft = item.offsetLeft - (list.clientWidth - item.offsetWidth) / 2;
  }, [row, chosen, texts]);
}
