import { useEffect, useRef } from 'react';
import { useNavigationType } from 'react-router-dom';

/**
 * After a navigation the focus is on the page's heading: a screen reader says where one is, and the
 * next Tab begins there. Going back returns it to what was opened, where that is still there.
 */
export function useHeadingFocus(pathname: string) {
  const came = useNavigationType();
  const shown = useRef(pathname);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per page.
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    // What was opened has it already, on the page or in a sheet over it.
    const returned = document.activeElement?.closest('main, [role="dialog"]');
    if (came === 'POP' && returned) return;
    const heading = document.querySelector<HTMLElement>('h1');
    if (!heading) return;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  }, [pathname]);
}
