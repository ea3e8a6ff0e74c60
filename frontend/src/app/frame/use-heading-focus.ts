import { useLayoutEffect, useRef } from 'react';
import { useNavigationType } from 'react-router-dom';

/**
 * After a navigation the focus is on the page's heading: a screen reader says where one is, and the
 * next Tab begins there. Going back returns it to what was opened, where that is still there.
 */
export function useHeadingFocus(pathname: string) {
  const came = useNavigationType();
  const shown = useRef(pathname);
  // The focus moves together with the page and not after it, so that a field that already has the
  // focus keeps it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per page.
  useLayoutEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    // The link that was opened has the focus again, on the page or in a sheet over it, which does
    // not have the role of a dialog yet.
    const returned = document.activeElement?.closest('main, .rv-popup');
    if (came === 'POP' && returned) return;
    const heading = document.querySelector<HTMLElement>('h1');
    if (!heading) return;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  }, [pathname]);
}
