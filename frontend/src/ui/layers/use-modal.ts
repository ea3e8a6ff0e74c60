import { type RefObject, useEffect, useRef } from 'react';
import { addLayer } from './layers';

export const focusable =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex]:not([tabindex="-1"])';

/**
 * What react-vant's Popup leaves out: focus moves in, stays in and returns to where it came from,
 * Esc closes, and the page behind does not scroll.
 */
export function useModal(open: boolean, onClose: () => void): RefObject<HTMLDivElement | null> {
  const panel = useRef<HTMLDivElement>(null);
  const close = useRef(onClose);
  close.current = onClose;

  useEffect(() => {
    if (!open) return;
    const layer = addLayer(() => close.current());
    const before = document.activeElement;
    const element = panel.current;
    if (!element?.contains(before)) element?.focus();
    document.documentElement.style.overflow = 'hidden';

    const onKey = (event: KeyboardEvent) => {
      if (!layer.isTop() || !element) return;
      if (event.key === 'Escape') {
        event.preventDefault();
        close.current();
      } else if (event.key === 'Tab') {
        keepInside(element, event);
      }
    };
    document.addEventListener('keydown', onKey);
    return () => {
      document.removeEventListener('keydown', onKey);
      if (layer.remove()) document.documentElement.style.overflow = '';
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, [open]);

  return panel;
}

function keepInside(element: HTMLElement, event: KeyboardEvent) {
  const stops = [...element.querySelectorAll<HTMLElement>(focusable)];
  const first = stops[0];
  const last = stops.at(-1);
  const now = document.activeElement;
  if (!first || !last) {
    event.preventDefault();
  } else if (event.shiftKey && (now === first || now === element)) {
    event.preventDefault();
    last.focus();
  } else if (!event.shiftKey && (now === last || !element.contains(now))) {
    event.preventDefault();
    first.focus();
  }
}
