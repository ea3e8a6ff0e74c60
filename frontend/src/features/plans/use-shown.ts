import { useEffect, useRef } from 'react';

/**
 * What went wrong is brought into view: the amount, where it must be changed, or the server's
 * refusal above the button. `refused` counts the presses that were refused in the form itself.
 */
export function useShown(error: Error | null, refused: number) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const notice = error && form.current?.querySelector('[role="alert"]:not([hidden])');
    notice?.scrollIntoView({ block: 'nearest' });
  }, [error]);
  useEffect(() => {
    const field = refused > 0 && form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (!field) return;
    field.focus({ preventScroll: true });
    field.scrollIntoView({ block: 'center' });
  }, [refused]);
  return form;
}
