// Loads MapLibre GL JS from this server, where Scripts/install-map-library has installed it. No other host is contacted.

/** The library is not installed on the server, or its release is not the expected one. */
export class MapLibraryMissing extends Error {}

const folder = new URL("../library/", import.meta.url).href;
let loading = null;

/** Loads the library once; resolves with `maplibregl`. */
export function loadMapLibrary() {
    loading ??= load().catch((error) => {
        loading = null;
        throw error;
    });
    return loading;
}

async function load() {
    await Promise.all([
        add("link", { rel: "stylesheet", href: `${folder}maplibre-gl.css` }),
        add("script", { src: `${folder}maplibre-gl.js` }),
    ]);
    if (!globalThis.maplibregl) throw new MapLibraryMissing();
    // Its worker reads the library too, while the venue is loading.
    globalThis.maplibregl.prewarm();
    return globalThis.maplibregl;
}

function add(name, attributes) {
    return new Promise((resolve, reject) => {
        const element = Object.assign(document.createElement(name), attributes);
        element.addEventListener("load", resolve);
        element.addEventListener("error", () => {
            element.remove();
            reject(new MapLibraryMissing());
        });
        // Before our own style sheets, which must take precedence.
        document.head.prepend(element);
    });
}
