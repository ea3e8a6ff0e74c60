import { ExpirationPlugin } from 'workbox-expiration';
import {
  addPlugins,
  cleanupOutdatedCaches,
  createHandlerBoundToURL,
  type PrecacheEntry,
  precacheAndRoute,
} from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';
import { CacheFirst } from 'workbox-strategies';
import { isApp, readPushed } from './pushed';

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: (string | PrecacheEntry)[] };

/*
 * Opens the app without a connection. It caches the shell, and every page and language once used.
 * It never touches answers of the API: a figure that looks current and is not would be a lie.
 */
// The page is in one language on this device, whatever the browser asks for when it is opened.
addPlugins([
  { cacheWillUpdate: async ({ response }) => (response.ok ? withoutVary(response) : null) },
]);
precacheAndRoute(self.__WB_MANIFEST);
cleanupOutdatedCaches();
registerRoute(new NavigationRoute(createHandlerBoundToURL('/'), { allowlist: [/^\/(\?.*)?$/] }));

// Names contain a hash of the content, so cached files are always right. There is room for two
// releases.
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith('/assets/'),
  new CacheFirst({ cacheName: 'pages', plugins: [new ExpirationPlugin({ maxEntries: 250 })] }),
);

function withoutVary({ body, status, headers }: Response): Response {
  const kept = new Headers(headers);
  kept.delete('vary');
  return new Response(body, { status, headers: kept });
}

self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

// A new version waits until somebody asks for it, so that a form being filled in stays.
self.addEventListener('message', ({ data }) => {
  if (data === 'take-over') void self.skipWaiting();
});

/*
 * Notices while the app is not open. A browser that knows the declarative form shows them itself
 * where no worker runs; with the same tag, nothing is shown twice.
 */
self.addEventListener('push', (event) => event.waitUntil(show(event.data?.text() ?? '')));

async function show(text: string) {
  const { title, options, unread } = readPushed(text);
  await self.registration.showNotification(title, options);
  await self.navigator.setAppBadge?.(unread);
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const { page = '/' } = (event.notification.data ?? {}) as { page?: string };
  event.waitUntil(open(page));
});

async function open(page: string) {
  const shown = (await self.clients.matchAll({ type: 'window' })).find(isApp);
  if (!shown) return self.clients.openWindow(page);
  // This leads to another page of the same document, where a form that is being filled in is kept
  // as a draft.
  await shown.navigate(page).catch(() => null);
  return shown.focus();
}
