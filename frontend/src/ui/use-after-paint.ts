import { useEffect, useState } from 'react';

/** True once what was drawn first is on the screen: a press is answered before the rest is made. */
export function useAfterPaint(wanted = true): boolean {
  const [painted, setPainted] = useState(false);
  useEffect(() => {
    if (!wanted) return setPainted(false);
    let timer: ReturnType<typeof setTimeout>;
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => setPainted(true));
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, [wanted]);
  return wanted && painted;
}
