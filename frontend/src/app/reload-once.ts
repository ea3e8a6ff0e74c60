const key = 'placard_reloaded_at';
const pause = 60_000;

/**
 * After a new release the old files are gone. One reload brings the new ones; when that did not
 * help, reloading again would only blink.
 */
export function reloadOnceOnMissingFiles() {
  window.addEventListener('vite:preloadError', (event) => {
    const last = Number(sessionStorage.getItem(key) ?? 0);
    if (Date.now() - last < pause) return;
    event.preventDefault();
    sessionStorage.setItem(key, String(Date.now()));
    window.location.reload();
  });
}
