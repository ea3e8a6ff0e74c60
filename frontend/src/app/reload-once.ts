import { isServerReachable } from '@/api/reachable';
import { readText, store } from '@/stored';

const key = 'placard_reloaded';

/** The name of this file, which each release has another for. */
const release = import.meta.url;

/**
 * After a new release, the old files are gone, and one reload fetches the new ones. If a file is
 * still missing then, or later in the same release, something on the device holds it back, such as
 * an ad blocker, and reloading again would only flicker. Without a connection nothing is reloaded,
 * because the page and what was typed into it are worth more than a browser error.
 */
export function reloadOnceOnMissingFiles() {
  window.addEventListener('vite:preloadError', () => void reloadIfAnswered());
}

async function reloadIfAnswered() {
  const isAgain = () => readText('sessionStorage', key) === release;
  if (isAgain()) return;
  if (!(await isServerReachable())) return;
  store('sessionStorage', key, release);
  // A browser that stores nothing would reload without end.
  if (!isAgain()) return;
  // An installed app would open its cached version, which is the one missing the files. A browser
  // that stores nothing may refuse to say so.
  const installed = await navigator.serviceWorker?.getRegistration().catch(() => {});
  await installed?.unregister();
  window.location.reload();
}
