import { useCallback, useRef } from 'react';
import type { ListedPlan } from '@/api/types';
import { useEntryState } from '@/shared/forms/use-entry-state';

/** The plans that are selected, by their ids. */
export type Selected = ReadonlyMap<string, ListedPlan>;

/** Under which each page in the history keeps its own. */
export const selectionName = 'selected';

/** Null while none can be selected. It is there again for who comes back to the list. */
export function useSelection() {
  const [selected, setSelected] = useEntryState<Selected | null>(selectionName, null);
  const latest = useRef(selected);
  latest.current = selected;
  const select = useCallback(
    (plans: readonly ListedPlan[] | null) => {
      latest.current = plans && new Map(plans.map((plan) => [plan.id, plan]));
      setSelected(latest.current);
    },
    [setSelected],
  );
  // The function stays the same between renders, or each card of a long list would be drawn again.
  const toggle = useCallback(
    (plan: ListedPlan) => {
      const others = [...(latest.current?.values() ?? [])].filter(({ id }) => id !== plan.id);
      select(latest.current?.has(plan.id) ? others : [...others, plan]);
    },
    [select],
  );
  return { selected, select, toggle };
}
