const key = 'placard_reloaded_at';
const pause = 60_000;

/**
 * After a new release the old files are gone. One reload brings the new ones; when that did not
 * help, reloading again would only blink. Where nobody answers at all nothing is reloaded: the page
 * that stands there, and what was typed into it, is worth more than an error of the browser.
 */
export function reloadOnceOnMissingFiles() {
  window.addEventListener('vite:preloadError', () => void reloadIfAnswered());
}

async function reloadIfAnswered() {
  const last = Number(sessionStorage.getItem(key) ?? 0);
  if (Date.now() - last < pause) return;
  const answer = await fetch('/', { method: 'HEAD', cache: 'no-store' }).catch(() => null);
  if (!answer?.ok) return;
  sessionStorage.setItem(key, String(Date.now()));
  // An installed app would open what it has kept, which is what misses the files.
  const installed = await navigator.serviceWorker?.getRegistration();
  await installed?.unregister();
  window.location.reload();
}
