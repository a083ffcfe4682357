// Keeps the page for visits without a network: its own files come from the cache once they were
// fetched. A new version takes over when no tab shows the last one.

const FILES = 'FILES'.split(' ');
// Other copies of the page on the same host have caches of their own.
const PLACE = ` ${self.registration.scope}`;
const CACHE = `mohawk-VERSION${PLACE}`;

async function olderCaches() {
  const names = await caches.keys();
  // The first versions named no place.
  const isOwn = (name) => /^mohawk-\d+$/.test(name) || name.startsWith('mohawk-') && name.endsWith(PLACE);
  return names.filter((name) => isOwn(name) && name !== CACHE);
}

// What the last version kept, this one keeps too. It takes over only once all of that is there.
self.addEventListener('install', (event) => event.waitUntil((async () => {
  const cache = await caches.open(CACHE);
  for (const name of await olderCaches()) {
    const kept = await (await caches.open(name)).keys();
    const urls = kept.map(({ url }) => url).filter(isOfPage);
    await Promise.all(urls.map((url) => keep(cache, new Request(url, { cache: 'reload' }))));
  }
})()));

self.addEventListener('activate', (event) => event.waitUntil((async () => {
  await Promise.all((await olderCaches()).map((name) => caches.delete(name)));
  await self.clients.claim();
})()));

function isOfPage(address) {
  const { origin, pathname } = new URL(address);
  const whole = origin + pathname;
  const { scope } = self.registration;
  return whole.startsWith(scope) && FILES.includes(whole.slice(scope.length) || 'index.html');
}

// The page is the same with the name of its file and without.
function keyOf(address) {
  const { origin, pathname } = new URL(address);
  return origin + pathname.replace(/\/index\.html$/, '/');
}

async function keep(cache, request) {
  const response = await fetch(request);
  if (!response.ok) throw new Error(`${response.url}: ${response.status}`);
  await cache.put(keyOf(request.url), response);
}

// `true` while a newer version waits: files on the server belong to that one.
function isOld() {
  const { installing, waiting } = self.registration;
  return Boolean(installing ?? waiting);
}

self.addEventListener('fetch', (event) => {
  if (event.request.method !== 'GET' || !isOfPage(event.request.url)) return;
  event.respondWith((async () => {
    const cache = await caches.open(CACHE);
    const key = keyOf(event.request.url);
    const known = await cache.match(key);
    if (known) return known;
    // A page of another version is better than none.
    if (isOld()) return event.request.mode === 'navigate' ? fetch(event.request) : Response.error();
    // The browser may still have files of the last version.
    const response = await fetch(event.request, { cache: 'no-cache' });
    if (response.ok) cache.put(key, response.clone());
    return response;
  })());
});

// Keeps what the page fetched before this worker was there.
self.addEventListener('message', (event) => event.waitUntil((async () => {
  const cache = await caches.open(CACHE);
  await Promise.all(event.data.map(async (address) => {
    if (!isOfPage(address) || isOld() || await cache.match(keyOf(address))) return;
    await keep(cache, new Request(address, { cache: 'no-cache' }));
  }));
})()));
