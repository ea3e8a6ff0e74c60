import { type RefObject, useEffect, useRef } from 'react';
import { keepClearOfKeyboard } from './clear-of-keyboard';
import { addLayer } from './layers';

export const focusable =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex]:not([tabindex="-1"])';

/**
 * What react-vant's layers leave out: a screen reader is told that this is a dialog and what it is
 * called, focus moves in, stays in and returns to where it came from, Esc closes, and a keyboard on the
 * screen hides nothing of it. The ref is for anything inside the layer, whose own element react-vant
 * hands to nobody.
 */
export function useModal(titleId: string, onClose: () => void): RefObject<HTMLDivElement | null> {
  const inside = useRef<HTMLDivElement>(null);
  const close = useRef(onClose);
  close.current = onClose;

  useEffect(() => {
    const panel = inside.current?.closest<HTMLElement>('.rv-popup');
    if (!panel) return;
    panel.setAttribute('role', 'dialog');
    panel.setAttribute('aria-modal', 'true');
    panel.setAttribute('aria-labelledby', titleId);
    panel.tabIndex = -1;

    const letGo = keepClearOfKeyboard(panel);
    const layer = addLayer(() => close.current());
    const before = document.activeElement;
    if (!panel.contains(before)) panel.focus();

    const onKey = (event: KeyboardEvent) => {
      if (!layer.isTop()) return;
      if (event.key === 'Escape') {
        event.preventDefault();
        close.current();
      } else if (event.key === 'Tab') {
        keepInside(panel, event);
      }
    };
    document.addEventListener('keydown', onKey);
    return () => {
      document.removeEventListener('keydown', onKey);
      layer.remove();
      letGo();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, [titleId]);

  return inside;
}

/** A drawing is out of reach of keys, and of radio buttons Tab stops only at the chosen one. */
function isStop(element: HTMLElement) {
  return !element.closest('[inert]') && !element.matches('[type=radio]:not(:checked)');
}

function keepInside(element: HTMLElement, event: KeyboardEvent) {
  const stops = [...element.querySelectorAll<HTMLElement>(focusable)].filter(isStop);
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
