import { type RefObject, useLayoutEffect, useRef } from 'react';

/** Chromium and Firefox hold what is read in its place themselves. */
const anchors = () => window.CSS?.supports?.('overflow-anchor', 'auto') ?? false;

/**
 * Rows that arrive above the ones being read must not push them away: the page is scrolled by as
 * much as they moved within their list.
 */
export function useScrollAnchoring(list: RefObject<HTMLElement | null>) {
  const tops = useRef(new Map<HTMLElement, number>());

  useLayoutEffect(() => {
    const element = list.current;
    if (!element || anchors()) return;
    const above = -element.getBoundingClientRect().top;
    const rows = [...element.querySelectorAll<HTMLElement>('[data-row]')];
    const now = new Map(rows.map((row) => [row, row.getBoundingClientRect().top + above]));
    if (above > 0) {
      const read = [...tops.current].find(([row, top]) => top >= above && now.has(row));
      const moved = read ? (now.get(read[0]) ?? 0) - read[1] : 0;
      if (moved) window.scrollBy(0, moved);
    }
    tops.current = now;
  });
}
