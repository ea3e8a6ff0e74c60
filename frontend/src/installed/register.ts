import { newVersion } from './new-version';

const hour = 3_600_000;

/** Makes the app open without a connection from now on, and detects new versions. */
export async function install() {
  const { serviceWorker } = navigator;
  const registration = await serviceWorker.register('/sw.js', { updateViaCache: 'none' });
  offer(registration.waiting);
  registration.addEventListener('updatefound', () => {
    const worker = registration.installing;
    worker?.addEventListener('statechange', () => {
      if (worker.state === 'installed') offer(worker);
    });
  });
  lookForUpdates(registration);
  if (serviceWorker.controller) return;
  serviceWorker.addEventListener('controllerchange', keepWhatIsLoaded, { once: true });
}

function offer(worker: ServiceWorker | null) {
  // The very first one replaces nothing. Firefox may tell that it controls the page before it tells that it is installed.
  const { controller } = navigator.serviceWorker;
  if (worker && controller && controller !== worker) newVersion.set(worker);
}

/** An installed app may stay open for weeks: it checks whenever it becomes visible again. */
function lookForUpdates(registration: ServiceWorkerRegistration) {
  let asked = Date.now();
  document.addEventListener('visibilitychange', () => {
    if (document.hidden || Date.now() - asked < hour) return;
    asked = Date.now();
    registration.update().catch(() => {});
  });
}

/**
 * Fetches the files that were loaded before the worker started through it, from the browser's
 * cache, so that it stores them.
 */
function keepWhatIsLoaded() {
  for (const { name } of performance.getEntriesByType('resource')) {
    if (new URL(name).pathname.startsWith('/assets/')) fetch(name).catch(() => {});
  }
}
