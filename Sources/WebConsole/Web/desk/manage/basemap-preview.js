// The basemap around the outlines of the floors, on a small map, as the map of the venue draws it.

import { BasemapLayers } from "../../map/basemap.js";
import { boundsOf } from "../../client/map/geometry.js";
import { emptyStyle } from "../../map/style.js";
import { fill, h } from "../../ui/element.js";
import { isSame } from "../../map/editing/changes.js";
import { loadMapLibrary } from "../../map/library.js";
import { mapColours } from "../../map/colours.js";
import { notPermitted } from "./not-permitted.js";
import { omitSky } from "../../map/no-sky.js";
import { requestJSON } from "../../api.js";
import { webAddress } from "./web-address.js";
import { localized } from "../../localization/localization.js";

/** `{element, show(basemap)}`; null shows nothing. */
export function basemapPreview(desk) {
    const canvas = h("div", { class: "basemap-preview" });
    const message = h("div", { class: "help", role: "status" });
    const element = h("div", { hidden: true }, canvas, message);
    let shown = null;
    /** Removes the map that is drawn; null for none. */
    let close = null;
    let outlines = null;
    desk.signal.addEventListener("abort", () => close?.(), { once: true });
    return {
        element,
        show(basemap) {
            if (isSame(basemap, shown?.basemap) && isSame(desk.venue?.page, shown?.page)) return;
            shown = { basemap, page: desk.venue?.page };
            close?.();
            close = null;
            element.hidden = basemap === null;
            if (basemap === null) return;
            const [obstacle] = originsOf(basemap).map((origin) => notPermitted(desk, "basemap", origin)).filter(Boolean);
            canvas.hidden = Boolean(obstacle);
            fill(message, obstacle ?? localized("desk.settings.basemap.loading"));
            if (!obstacle) close = draw(basemap);
        },
    };

    /** Draws on a new map; returns a function that removes it. */
    function draw(basemap) {
        const ended = new AbortController();
        let map = null;
        /** Whether something of the basemap has been loaded. Single tiles may then be missing. */
        let isLoaded = false;
        const report = (name) => {
            const text = localized(`desk.settings.basemap.${name}`);
            if (!ended.signal.aborted && message.textContent !== text) fill(message, text);
        };
        const fail = () => isLoaded || report(basemap.style ? "styleFailed" : "failed");
        const begin = async () => {
            outlines ??= levelOutlines(desk);
            const [library, levels] = await Promise.all([loadMapLibrary(), outlines]);
            if (ended.signal.aborted) return;
            map = new library.Map({
                validateStyle: false, container: canvas, style: emptyStyle(), attributionControl: false, fadeDuration: 0,
                locale: { "Map.Title": localized("desk.settings.basemap") },
            });
            omitSky(map);
            if (basemap.attribution) canvas.append(h("p", { class: "map-attribution" }, basemap.attribution));
            map.on("error", fail);
            await new Promise((resolve) => map.once("style.load", resolve));
            if (ended.signal.aborted) return;
            addOutlines(map, levels);
            const layers = new BasemapLayers(map, basemap, {
                signal: ended.signal,
                onChange(isShown) {
                    isLoaded = isShown;
                    if (isShown) report("shown");
                },
            });
            await layers.show();
            if (ended.signal.aborted) return;
            // For the library, a tile that the host does not have (404) is no error, and without a style there is nothing to load.
            map.on("idle", fail);
            map.triggerRepaint();
        };
        begin().catch(() => report("noMap"));
        return () => {
            ended.abort();
            map?.remove();
            fill(canvas);
        };
    }
}

const originsOf = ({ style, tiles }) => {
    const addresses = style ?? tiles;
    return (typeof addresses === "string" ? [addresses] : Object.values(addresses)).map((address) => webAddress(address).origin);
};

/** The level features of the newest revision; none if there is none, or they cannot be loaded. */
async function levelOutlines({ venue, venueKey, signal }) {
    if (!venue) return [];
    const path = `/venues/${encodeURIComponent(venueKey)}/revisions/${venue.head}/features?level=venue&type=level`;
    return requestJSON(path, { signal, cache: "no-cache" }).then(({ features }) => features, () => []);
}

function addOutlines(map, levels) {
    const bounds = boundsOf(levels.map(({ geometry }) => geometry?.coordinates));
    if (!bounds) return;
    map.fitBounds(bounds, { padding: 40, maxZoom: 18, animate: false });
    map.addSource("levels", { type: "geojson", data: { type: "FeatureCollection", features: levels } });
    map.addLayer({ id: "levels", type: "line", source: "levels", paint: { "line-color": mapColours().outline, "line-width": 2 } });
}
