// The map of a staged first upload, on a page of its own and in its review.

import { Appearance } from "./appearance.js";
import { emptyState } from "../ui/states.js";
import { fill } from "../ui/element.js";
import { floorsOf, initialFloor } from "./floors.js";
import { loadMapLibrary, MapLibraryMissing } from "./library.js";
import { localized } from "../localization/localization.js";
import { MapController } from "./map-controller.js";
import { previewMode } from "./map-mode.js";

/**
 * Shows the map of a `StagedVenue` in `context.root`, and returns its `MapController`; null if there is none to show. `hasBar` is whether the
 * bar shows the name of the venue.
 */
export async function openPreviewMap(context, staged, { hasBar }) {
    try {
        const maplibregl = await loadMapLibrary();
        if (context.signal.aborted) return null;
        const controller = new MapController(context, staged.venue, staged);
        const floor = initialFloor(floorsOf(staged));
        await controller.open(maplibregl, Promise.resolve(), floor?.ordinal, new URLSearchParams(), {
            outlines: null, target: null, mode: previewMode({ hasBar }), appearance: new Appearance(null), basemap: null,
            featureCount: staged.featureCount,
        });
        return controller;
    } catch (error) {
        if (!(error instanceof MapLibraryMissing)) throw error;
        fill(context.root, emptyState({ title: localized("map.noLibrary"), text: localized("map.noLibraryHelp"), iconName: "map" }));
        return null;
    }
}
