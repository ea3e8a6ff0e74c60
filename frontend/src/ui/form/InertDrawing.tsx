import { type ReactNode, useEffect, useRef } from 'react';

/**
 * The drawing of a react-vant control. The control itself responds to touch only and has no name,
 * so a real input beside it does the work. The drawing is out of reach of keys, clicks and screen
 * readers.
 */
export function InertDrawing({ className, children }: { className?: string; children: ReactNode }) {
  const drawing = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    // `inert` says both, but Firefox before 112 does not know it: Tab stopped here, and a press here
    // was not one of the label.
    for (const stop of drawing.current?.querySelectorAll('[tabindex], input') ?? []) {
      stop.setAttribute('tabindex', '-1');
    }
  }, []);
  return (
    <span
      ref={drawing}
      className={className}
      style={{ pointerEvents: 'none' }}
      aria-hidden="true"
      inert
    >
      {children}
    </span>
  );
}
