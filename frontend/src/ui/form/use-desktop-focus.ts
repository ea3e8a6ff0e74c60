import { useEffect } from 'react';
import { PASSWORD_FOCUS_DELAY_MS } from '@/ui/constants';
import { isMobile } from '@/ui/is-mobile';
import { isWide } from '@/ui/use-wide';

/** The elements from which the focus may be taken: a heading, or a layer itself. */
const free = 'body, h1, h2, [role="dialog"]';

/** The field takes the focus as it appears, but not where a keyboard would come up with it. */
export function useDesktopFocus(id: string) {
  useEffect(() => {
    if (!isWide() || isMobile()) return;
    // By then, the layer or the page's heading has taken the focus.
    const timer = setTimeout(() => {
      if (!document.activeElement?.matches(free)) return;
      document.getElementById(id)?.focus({ preventScroll: true });
    }, PASSWORD_FOCUS_DELAY_MS);
    return () => clearTimeout(timer);
  }, [id]);
}
