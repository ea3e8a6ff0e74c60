import { useEffect } from 'react';
import { createStore } from '@/external-store';
import { setEntryStates, useEntryState } from '@/shared/forms/use-entry-state';

const name = 'choosing';
const wanted = createStore(false);

/** Whether the sheet of products is open; it is open again after going back from a product. */
export function useChoosing(atOnce: boolean) {
  const [choosing, setChoosing] = useEntryState(name, atOnce);
  const asked = wanted.use();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each time it is asked for.
  useEffect(() => {
    if (!asked) return;
    wanted.set(false);
    setChoosing(true);
  }, [asked]);
  return [choosing, setChoosing] as const;
}

/** Opens the sheet on the page that is shown and has it, or else on the next one. */
export function askForChoosing() {
  wanted.set(true);
}

/** After a plan was put, going back leads to the list. */
export function endChoosing() {
  setEntryStates(name, false);
}
