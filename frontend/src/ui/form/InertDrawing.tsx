import type { ReactNode } from 'react';

/**
 * The drawing of a react-vant control. The control itself responds to touch only and has no name,
 * so a real input beside it does the work. The drawing is out of reach of keys, clicks and screen
 * readers.
 */
export function InertDrawing({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <span className={className} aria-hidden="true" inert>
      {children}
    </span>
  );
}
