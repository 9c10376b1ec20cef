// Makes the console readable offline: stores the page, its style sheet, its modules and the map library. The data of venues is in the
// replicas of the map page (`map/replica-stores.js`); responses of the API and keys never pass through here.
//
// The server puts the constant `build` before this text: the version, and the names of the files to store. With a new version the text
// differs, so that browsers install it.

const prefix = "venuesync-console-";
const cacheName = `${prefix}${build.version}`;
const folder = `/console/${build.version}/`;
/** How long the server may take to send the page before the stored one is shown, in milliseconds. */
const networkTimeout = 1_500;

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(activate()));
self.addEventListener("fetch", (event) => {
    const { request } = event;
    const url = new URL(request.url);
    if (request.method !== "GET" || url.origin !== location.origin) return;
    if (request.mode === "navigate" && url.pathname === "/") event.respondWith(page(request));
    else if (url.pathname.startsWith(folder)) event.respondWith(file(request));
});

/** Stores all files, or none if one of them cannot be loaded: an installation that is interrupted is repeated at the next visit. */
async function install() {
    const cache = await caches.open(cacheName);
    // The page must be that of this version: without the cache of the browser, which may still have the previous one.
    await cache.addAll([new Request("/", { cache: "no-cache" }), ...build.files.map((name) => folder + name)]);
    await self.skipWaiting();
}

/** Deletes what other versions have stored. Pages request the server first, so none of them is older than the server. */
async function activate() {
    const names = await caches.keys();
    await Promise.all(names.filter((name) => name.startsWith(prefix) && name !== cacheName).map((name) => caches.delete(name)));
    await self.clients.claim();
}

/** The page of the server, or the stored one if the server does not respond in time. */
async function page(request) {
    const response = fetch(request);
    response.catch(() => {});
    const stored = (await caches.open(cacheName)).match("/");
    const isLate = new Promise((resolve) => setTimeout(() => resolve(null), networkTimeout));
    const first = await Promise.race([response.catch(() => null), isLate]);
    // A proxy in front of a server that was stopped responds with 502 or 503.
    if (first && first.status < 500) return first;
    return (await stored) ?? first ?? response;
}

async function file(request) {
    return (await (await caches.open(cacheName)).match(request)) ?? fetch(request);
}
