/** Whether this browser can show notices while the app is not open. */
type Support = 'works' | 'install' | 'none';

/** iOS has it only for an app that was put on the Home Screen. */
export function support(): Support {
  if ('PushManager' in window && 'Notification' in window && navigator.serviceWorker) {
    return 'works';
  }
  return isOnIos() ? 'install' : 'none';
}

/** An iPad calls itself a Mac, but can be touched. */
function isOnIos() {
  const { userAgent, maxTouchPoints } = navigator;
  return /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1);
}

export function isBlocked() {
  return support() === 'works' && Notification.permission === 'denied';
}

/** The user was not asked yet. */
export function isUnasked() {
  return support() === 'works' && Notification.permission === 'default';
}

/** A subscription in the server's form. */
export type Registration = { endpoint: string; p256dh: string; auth: string };

function registrationOf(subscription: PushSubscription): Registration {
  const { endpoint, keys = {} } = subscription.toJSON();
  return { endpoint: endpoint ?? '', p256dh: keys.p256dh ?? '', auth: keys.auth ?? '' };
}

const manager = async () => (await navigator.serviceWorker.getRegistration())?.pushManager;

/** The existing subscription of the browser; the user is not asked. */
export async function registered(): Promise<Registration | null> {
  if (support() !== 'works' || Notification.permission !== 'granted') return null;
  const subscription = await (await manager())?.getSubscription();
  return subscription ? registrationOf(subscription) : null;
}

/** Asks the user, who has just pressed something; `null` if they refuse. */
export async function register(key: string): Promise<Registration | null> {
  if ((await Notification.requestPermission()) !== 'granted') return null;
  const push = await manager();
  if (!push) throw new Error('no worker is installed');
  const options = { userVisibleOnly: true, applicationServerKey: key };
  try {
    return registrationOf(await push.subscribe(options));
  } catch (error) {
    // The browser may be subscribed with the key of another installation.
    const other = await push.getSubscription();
    if (!other) throw error;
    await other.unsubscribe();
    return registrationOf(await push.subscribe(options));
  }
}

/** The browser forgets it too. */
export async function unregister() {
  const subscription = await (await manager())?.getSubscription();
  await subscription?.unsubscribe();
}
