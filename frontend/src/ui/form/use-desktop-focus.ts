import { useEffect } from 'react';
import { PASSWORD_FOCUS_DELAY_MS } from '@/ui/constants';
import { isMobile } from '@/ui/is-mobile';
import { isWide } from '@/ui/use-wide';

/** Only a page's heading, or a layer itself, gives the focus away. */
const free = 'body, h1, [role="dialog"]';

/** The field takes the focus as it appears, but not where a keyboard would come up with it. */
export function useDesktopFocus(id: string) {
  useEffect(() => {
    if (!isWide() || isMobile()) return;
    // By then the layer has moved the focus in, and the page to its heading.
    const timer = setTimeout(() => {
      if (!document.activeElement?.matches(free)) return;
      document.getElementById(id)?.focus({ preventScroll: true });
    }, PASSWORD_FOCUS_DELAY_MS);
    return () => clearTimeout(timer);
  }, [id]);
}
