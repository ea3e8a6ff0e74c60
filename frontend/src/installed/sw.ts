import { ExpirationPlugin } from 'workbox-expiration';
import {
  cleanupOutdatedCaches,
  createHandlerBoundToURL,
  type PrecacheEntry,
  precacheAndRoute,
} from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';
import { CacheFirst } from 'workbox-strategies';

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: (string | PrecacheEntry)[] };

/*
 * Opens the app without a connection. It holds the shell, and whatever page and language was used
 * once. It never touches an answer of the API: a figure that looks fresh and is not would be a lie.
 */
precacheAndRoute(self.__WB_MANIFEST);
cleanupOutdatedCaches();
registerRoute(new NavigationRoute(createHandlerBoundToURL('/'), { allowlist: [/^\/(\?.*)?$/] }));

// A name holds a hash of the content: what is here is right for ever. Two releases have room.
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith('/assets/'),
  new CacheFirst({ cacheName: 'pages', plugins: [new ExpirationPlugin({ maxEntries: 250 })] }),
);

self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

// A new version waits until somebody asks for it: a form that is being filled in stays.
self.addEventListener('message', ({ data }) => {
  if (data === 'take-over') void self.skipWaiting();
});
