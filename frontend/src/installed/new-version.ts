import { createStore } from '@/external-store';

/** The version that has been fetched and waits to be taken. */
const waiting = createStore<ServiceWorker | null>(null);

export const newVersion = {
  get: waiting.get,
  set: waiting.set,
  use: waiting.use,
  take() {
    const worker = waiting.get();
    if (!worker) return;
    // Only the tab that asked is loaded anew; the others go on with what they have.
    const reload = () => window.location.reload();
    navigator.serviceWorker.addEventListener('controllerchange', reload, { once: true });
    worker.postMessage('take-over');
  },
};
