import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { askAgain, type Change } from './asked-again';

/** How often a page that is open and visible looks whether staff have decided. */
export const decisionLookMs = 15_000;

/** Once something that was open is so no longer, asks again for what the decision has changed. */
export function useDecided(open: readonly string[] | undefined, change: Change) {
  const client = useQueryClient();
  const before = useRef<readonly string[]>([]);
  useEffect(() => {
    if (!open) return;
    const decided = before.current.some((id) => !open.includes(id));
    before.current = open;
    if (decided) void askAgain(client, change);
  });
}
