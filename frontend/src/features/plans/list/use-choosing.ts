import { setEntryStates, useEntryState } from '@/shared/forms/use-entry-state';

const name = 'choosing';

/** Whether the sheet of products is open: who goes back to it from a product finds it again. */
export function useChoosing(atOnce: boolean) {
  return useEntryState(name, atOnce);
}

/** Once a plan is put, the way back leads to the list. */
export function endChoosing() {
  setEntryStates(name, false);
}
