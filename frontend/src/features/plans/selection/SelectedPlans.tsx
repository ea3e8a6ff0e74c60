import type { ListedPlan } from '@/api/types';
import { BatchSummary } from './BatchSummary';
import { useBatch } from './batch';
import { SelectionBar } from './SelectionBar';
import type { Selected } from './use-selection';

type Props = {
  shown: readonly ListedPlan[];
  selected: Selected | null;
  onSelect: (plans: readonly ListedPlan[] | null) => void;
};

/** What can be done with the plans that are selected, how far it is, and what came of it. */
export function SelectedPlans({ shown, selected, onSelect }: Props) {
  const batch = useBatch();
  const known = new Map(shown.map((plan) => [plan.id, plan]));
  // Plans that another filter hides stay selected as they were.
  const plans = [...(selected?.values() ?? [])].map((plan) => known.get(plan.id) ?? plan);
  return (
    <>
      {(selected || batch?.running) && (
        <SelectionBar
          plans={plans}
          // Those that failed can be tried again.
          onDone={(failed) => failed && onSelect(failed.length ? failed : null)}
        />
      )}
      <BatchSummary />
    </>
  );
}
