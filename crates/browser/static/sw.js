// Keeps the page for when there is no network. Everything but the books of rarer variants is fetched when it is installed; VERSION and FILES are filled
// in when the page is made. An update waits until the reader agrees.

const VERSION = '@VERSION@';
/** @type {string[]} */
const FILES = ['@FILES@'];
const CACHE = `terzo-${VERSION}`;

addEventListener('install', (event) => event.waitUntil((async () => {
  const cache = await caches.open(CACHE);
  // One after another: somebody plays meanwhile, and needs the line and the cores more.
  for (const file of FILES) await cache.add(new Request(new URL(file, registration.scope), { cache: 'no-cache' }));
})()));

addEventListener('activate', (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) if (name.startsWith('terzo-') && name !== CACHE) await caches.delete(name);
  await clients.claim();
})()));

addEventListener('message', ({ data }) => data === 'take over' && skipWaiting());

addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || !request.url.startsWith(registration.scope)) return;
  event.respondWith((async () => {
    const cache = await caches.open(CACHE);
    const known = await cache.match(request, { ignoreSearch: true });
    if (known) return known;
    const answer = await fetch(request);
    if (answer.ok && answer.type === 'basic') await cache.put(request, answer.clone());
    return answer;
  })());
});
