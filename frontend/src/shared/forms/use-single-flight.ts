import { startTransition, useRef, useState } from 'react';

/**
 * One action at a time: a second press sends nothing. What fails has been reported by the call, or
 * is told to `onFailure`.
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
    // The press is answered before the form is drawn anew, mostly with what is done by then.
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
