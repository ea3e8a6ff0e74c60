import { useRef } from 'react';
import { useSearchParams } from 'react-router-dom';
import { addressOf, type PlanFilter, planFilterOf } from './plan-filter';

/** The filter in the address, and how to change a part of it. */
export function usePlanFilter(): [PlanFilter, (change: Partial<PlanFilter>) => void] {
  const [params, setParams] = useSearchParams();
  const filter = planFilterOf(params);
  // What is typed arrives a moment later, when something else may have been chosen. The address may follow only after
  // another rendering, which must not take the choice back.
  const latest = useRef(filter);
  const read = useRef(params);
  if (read.current !== params) {
    read.current = params;
    latest.current = filter;
  }
  const change = (part: Partial<PlanFilter>) => {
    latest.current = { ...latest.current, ...part };
    // Replaced, not added: the back arrow leads out of the list, not through its filters.
    setParams(addressOf(latest.current), { replace: true });
  };
  return [filter, change];
}
