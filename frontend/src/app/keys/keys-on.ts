import { createStore } from '@/external-store';
import { readStored, store } from '@/stored';

const storageKey = 'placard_keys';
const on = createStore(readStored('localStorage', storageKey) !== 'off');

/** Whether single keys do something. Who dictates, or types by accident, turns them off. */
export const keysOn = {
  get: on.get,
  use: on.use,
  set(next: boolean) {
    store('localStorage', storageKey, next ? null : '"off"');
    on.set(next);
  },
};
