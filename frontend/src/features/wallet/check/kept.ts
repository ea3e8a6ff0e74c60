import { createStore, del, get, set } from 'idb-keyval';
import type { Kept } from '@/proof/check';

/** The state of the log that this device has seen, and when. */
export type Witnessed = Kept & { at: number; size: string };

/**
 * The store of what this device has seen, for each user of this installation. It outlives the
 * session on purpose: what a server shows today is compared with what it showed before, so only the
 * user may delete it.
 */
let opened: ReturnType<typeof createStore> | null = null;
const store = () => {
  opened ??= createStore('placard-log', 'kept');
  return opened;
};

export async function readWitnessed(user: string): Promise<Witnessed | null> {
  return (await get<Witnessed>(user, store())) ?? null;
}

export const keepWitnessed = (user: string, kept: Witnessed) => set(user, kept, store());
export const forgetWitnessed = (user: string) => del(user, store());
