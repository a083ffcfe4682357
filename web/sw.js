// Keeps the page for visits without a network: what was fetched once comes from the cache where the
// network does not answer.

const CACHE = 'mohawk-VERSION';

self.addEventListener('install', () => self.skipWaiting());

self.addEventListener('activate', (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) {
    if (name.startsWith('mohawk-') && name !== CACHE) await caches.delete(name);
  }
  await self.clients.claim();
})()));

self.addEventListener('fetch', (event) => {
  if (event.request.method !== 'GET') return;
  event.respondWith((async () => {
    const cache = await caches.open(CACHE);
    const known = await cache.match(event.request, { ignoreSearch: true });
    if (known) return known;
    const response = await fetch(event.request);
    if (response.ok) cache.put(event.request, response.clone());
    return response;
  })());
});

// Keeps what the page fetched before this worker was there.
self.addEventListener('message', (event) => event.waitUntil((async () => {
  const cache = await caches.open(CACHE);
  await Promise.all(event.data.map(async (address) => {
    if (!await cache.match(address)) await cache.add(address);
  }));
})()));
