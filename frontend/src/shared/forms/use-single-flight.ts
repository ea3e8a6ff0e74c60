import { startTransition, useRef, useState } from 'react';

/**
 * Runs one action at a time, so a second press sends nothing. A failure was reported by the call,
 * or is passed to `onFailure`.
 */
export function useSingleFlight(onFailure?: (failure: unknown) => void) {
  const [busy, setBusy] = useState(false);
  const running = useRef(false);
  const once = async (action: () => unknown) => {
    if (running.current) return;
    const doing = action();
    // Opening a dialog is done at once.
    if (!doing) return;
    running.current = true;
    // A transition lets the press be answered first. The form is drawn later, mostly with the
    // result.
    startTransition(() => setBusy(true));
    try {
      await doing;
    } catch (failure) {
      onFailure?.(failure);
    }
    running.current = false;
    setBusy(false);
  };
  return { busy, once };
}
