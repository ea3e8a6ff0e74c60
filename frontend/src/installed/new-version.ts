import { createStore } from '@/external-store';

/** A fetched version that waits to be activated. */
const waiting = createStore<ServiceWorker | null>(null);

export const newVersion = {
  get: waiting.get,
  set: waiting.set,
  use: waiting.use,
  take() {
    const worker = waiting.get();
    if (!worker) return;
    // Only the tab that asked for the update is reloaded; the others keep their state.
    const reload = () => window.location.reload();
    // Another tab has activated it already, or a newer one replaced it: there will be no further
    // change.
    if (worker.state === 'activated' || worker.state === 'redundant') return reload();
    navigator.serviceWorker.addEventListener('controllerchange', reload, { once: true });
    worker.postMessage('take-over');
  },
};
