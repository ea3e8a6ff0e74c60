import { isServerReachable } from '@/shared/page/missing-files';
import { readText, store } from '@/stored';

const key = 'placard_reloaded_at';
const pause = 60_000;

/**
 * After a new release, the old files are gone. One reload fetches the new ones; if that does not
 * help, reloading again would only flicker. Without a connection nothing is reloaded: the page and
 * what was typed into it are worth more than a browser error.
 */
export function reloadOnceOnMissingFiles() {
  window.addEventListener('vite:preloadError', () => void reloadIfAnswered());
}

async function reloadIfAnswered() {
  const last = Number(readText('sessionStorage', key));
  if (Date.now() - last < pause) return;
  if (!(await isServerReachable())) return;
  store('sessionStorage', key, String(Date.now()));
  // An installed app would open its cached version, which is the one missing the files. A browser
  // that stores nothing may refuse to say so.
  const installed = await navigator.serviceWorker?.getRegistration().catch(() => {});
  await installed?.unregister();
  window.location.reload();
}
