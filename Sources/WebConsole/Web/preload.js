// If the address is that of a map, requests the map library beside the modules, and lets the browser start its database, which takes it a
// tenth of a second. Not a module, because it runs before the modules are loaded.

if (/^#\/[^/~?]+(\/[\w-]{22})?(\?|$)/.test(location.hash) || location.pathname.startsWith("/embed/")) {
    const href = new URL("library/maplibre-gl.js", document.currentScript.src).href;
    document.head.append(Object.assign(document.createElement("link"), { rel: "preload", as: "script", href }));
    globalThis.indexedDB?.databases?.().catch(() => {});
}
