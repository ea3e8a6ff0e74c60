import { type MouseEvent, type PointerEvent, useRef } from 'react';

const holdMs = 500;
/** A finger is never still; one that moves further scrolls. */
const stillPx = 10;

/**
 * The event handlers for a long press by a finger. The click that follows when the finger is lifted
 * is suppressed, and so is the browser's own menu. With a mouse, there are buttons for the action.
 */
export function useLongPress(act: (() => void) | null) {
  const held = useRef<{ timer: ReturnType<typeof setTimeout>; x: number; y: number } | null>(null);
  const acted = useRef(false);
  const release = () => {
    if (held.current) clearTimeout(held.current.timer);
    held.current = null;
  };
  return {
    onPointerDown: ({ pointerType, clientX: x, clientY: y }: PointerEvent) => {
      release();
      acted.current = false;
      if (pointerType === 'mouse' || !act) return;
      const timer = setTimeout(() => {
        acted.current = true;
        act();
      }, holdMs);
      held.current = { timer, x, y };
    },
    onPointerMove: ({ clientX, clientY }: PointerEvent) => {
      const { x, y } = held.current ?? { x: clientX, y: clientY };
      if (Math.hypot(clientX - x, clientY - y) > stillPx) release();
    },
    onPointerUp: release,
    onPointerCancel: release,
    onContextMenu: (event: MouseEvent) => {
      if (held.current) event.preventDefault();
    },
    onClickCapture: (event: MouseEvent) => {
      if (!acted.current) return;
      acted.current = false;
      event.preventDefault();
      event.stopPropagation();
    },
  };
}
