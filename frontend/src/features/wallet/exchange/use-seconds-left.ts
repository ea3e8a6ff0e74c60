import { useEffect, useState } from 'react';
import { serverNow } from '@/api/server-clock';

/** Seconds until then by the server's clock, counted down; 0 once it has passed. */
export function useSecondsLeft(until: string): number {
  const [left, setLeft] = useState(() => secondsLeft(until));
  useEffect(() => {
    setLeft(secondsLeft(until));
    const timer = setInterval(() => setLeft(secondsLeft(until)), 1000);
    return () => clearInterval(timer);
  }, [until]);
  return left;
}

function secondsLeft(until: string): number {
  return Math.max(0, Math.ceil((Date.parse(until) - serverNow()) / 1000));
}
