/** In milliseconds. */
const patience = 2000;

/** Whether the server can be reached, asked at an address that nothing holds back. */
export async function isServerReachable(): Promise<boolean> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), patience);
  try {
    const { signal } = limit;
    return (await fetch('/', { method: 'HEAD', cache: 'no-store', signal })).ok;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}

/** In milliseconds. A connection takes longer to break. */
const atOnce = 300;

/** Whether a request that failed after so long was held back on the device, as ad blockers do. */
export async function wasHeldBack(after: number): Promise<boolean> {
  return after < atOnce && navigator.onLine && (await isServerReachable());
}
