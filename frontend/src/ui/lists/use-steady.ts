import { useEffect, useState } from 'react';

/** The value once it has rested for `ms`, so that typing asks the server once and not per key. */
export function useSteady<T>(value: T, ms: number): T {
  const [steady, setSteady] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSteady(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return steady;
}
