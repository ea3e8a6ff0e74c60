import { setEntryStates, useEntryState } from '@/shared/forms/use-entry-state';

const name = 'choosing';

/** Whether the sheet of products is open; it is open again after going back from a product. */
export function useChoosing(atOnce: boolean) {
  return useEntryState(name, atOnce);
}

/** After a plan was put, going back leads to the list. */
export function endChoosing() {
  setEntryStates(name, false);
}
