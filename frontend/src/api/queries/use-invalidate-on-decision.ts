import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { type Change, invalidateAfter } from './invalidate';

/** How often a page that is open and visible looks whether staff have decided. */
export const decisionPollMs = 15_000;

/** Once something that was open is so no longer, asks again for what the decision has changed. */
export function useInvalidateOnDecision(open: readonly string[] | undefined, change: Change) {
  const client = useQueryClient();
  const before = useRef<readonly string[]>([]);
  useEffect(() => {
    if (!open) return;
    const decided = before.current.some((id) => !open.includes(id));
    before.current = open;
    if (decided) void invalidateAfter(client, change);
  });
}
