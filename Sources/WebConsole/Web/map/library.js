// Brings in MapLibre GL JS, which this server has when it was installed (Scripts/install-map-library). No other host is ever asked.

/** The library is not installed on the server, or is not the release that it should be. */
export class NoMapLibrary extends Error {}

let loading = null;

/** `maplibregl`, once it is there. */
export function mapLibrary() {
    loading ??= load().catch((error) => {
        loading = null;
        throw error;
    });
    return loading;
}

async function load() {
    await Promise.all([
        add("link", { rel: "stylesheet", href: "/console/library/maplibre-gl.css" }),
        add("script", { src: "/console/library/maplibre-gl.js" }),
    ]);
    if (!globalThis.maplibregl) throw new NoMapLibrary();
    return globalThis.maplibregl;
}

function add(name, attributes) {
    return new Promise((resolve, reject) => {
        const element = Object.assign(document.createElement(name), attributes);
        element.addEventListener("load", resolve);
        element.addEventListener("error", () => {
            element.remove();
            reject(new NoMapLibrary());
        });
        // Before our own style sheets, which have the last word.
        document.head.prepend(element);
    });
}
