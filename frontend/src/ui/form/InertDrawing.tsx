import type { ReactNode } from 'react';

/**
 * What react-vant draws of a control. Its own answers fingers alone and has no name, so that a real
 * input beside the picture does the work: out of its reach are keys, clicks and screen readers.
 */
export function InertDrawing({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <span className={className} aria-hidden="true" inert>
      {children}
    </span>
  );
}
