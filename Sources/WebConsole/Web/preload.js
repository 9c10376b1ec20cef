// Requests the map library beside the modules if the address is that of a map. Not a module, because it runs before the modules are loaded.

if (/^#\/[^/~?]+(\/[\w-]{22})?(\?|$)/.test(location.hash) || location.pathname.startsWith("/embed/")) {
    const href = new URL("library/maplibre-gl.js", document.currentScript.src).href;
    document.head.append(Object.assign(document.createElement("link"), { rel: "preload", as: "script", href }));
}
