import { useEffect, useRef } from 'react';
import { useUnread } from '@/shared/account/unread';

/** The number on an installed app's icon is that of the bell, from the server's first word on. */
export function useAppBadge() {
  const count = useUnread();
  const shown = useRef(count);
  useEffect(() => {
    if (shown.current === count) return;
    shown.current = count;
    // Only some browsers support numbers on icons.
    void navigator.setAppBadge?.(count).catch(() => {});
  }, [count]);
}
