// The map page of a venue: loads what the address asks for, and opens the map.

import { LiveVenue } from "./live-venue.js";
import { loadMapLibrary, MapLibraryMissing } from "./library.js";
import { Problem, requestJSON } from "../api.js";
import { emptyState, loadingState } from "../ui/states.js";
import { fill } from "../ui/element.js";
import { initialFloor } from "./floors.js";
import { showMissing } from "./missing-venue.js";
import { Appearance, rememberAppearance, rememberedAppearance } from "./appearance.js";
import { applyTheme } from "./venue-theme.js";
import { showVenue } from "../ui/bar.js";
import { showVenueName } from "./map-title.js";
import { requiredPage } from "./page-origins.js";
import { levelOfFeature, linkTarget } from "./link-target.js";
import { localized } from "../localization/localization.js";
import { MapController } from "./map-controller.js";
import { mapMode } from "./map-mode.js";
import { trustedKeys } from "./trusted-keys.js";

export async function show(context, { venue, query }) {
    context.setTitle(null);
    fill(context.root, loadingState());
    const library = loadMapLibrary();
    library.catch(() => {});
    // Requested while the browser opens what it has stored.
    const description = requestJSON(`/venues/${encodeURIComponent(venue)}`, { signal: context.signal });
    description.catch(() => {});
    // A link to a place does not say on which floor it is.
    const isPlaceLink = query.has("place") && !query.has("floor");
    const placeLevel = isPlaceLink ? levelOfFeature(venue, query.get("place"), context.signal).catch(() => null) : null;
    const trust = await trustedKeys(venue, query);
    if (trust.obstacle) {
        showVenue(venue, { signal: context.signal });
        fill(context.root, trust.obstacle);
        return null;
    }
    const mode = mapMode(query);
    const live = await LiveVenue.open(venue, context.signal, trust.keys);
    const page = new MapController(context, venue, live);
    // Loads the floor of the URL, or the ground floor, before it is known which floors exist. If the venue has no such floor, only the
    // venue-wide part is loaded.
    const likelyOrdinal = Number.parseInt(query.get("floor") ?? "0", 10) || 0;
    const isFloorUnknown = isPlaceLink || query.has("feature") || (query.has("at") && !mode.isKiosk);
    const preloading = isFloorUnknown ? Promise.resolve() : page.load(likelyOrdinal);
    preloading.catch(() => {});
    const about = await descriptionOf(live, description).catch((error) => error);
    if (about instanceof Error) {
        showVenue(venue, { signal: context.signal });
        return showMissing(context, venue, about);
    }
    const required = requiredPage(about);
    if (required) {
        location.replace(required);
        return null;
    }
    if (context.signal.aborted) return null;
    showVenueName(context, venue, live, about);
    if (!about.isStored) rememberAppearance(venue, about);
    const appearance = new Appearance(about.isStored ? rememberedAppearance(venue) : about.appearance);
    applyTheme(appearance, context.signal);
    const ordinals = about.levels.filter(({ ordinal }) => Number.isInteger(ordinal)).map(({ ordinal }) => ({ ordinal }));
    const target = mode.isKiosk ? null : await linkTarget(venue, about, query, context.signal).catch((error) => {
        if (about.isStored) return null; // What the link names cannot be requested.
        throw error;
    });
    const level = await placeLevel;
    const placeOrdinal = about.levels.find(({ level_id: id }) => id !== null && id === level)?.ordinal;
    const requestedOrdinal = target?.ordinal ?? placeOrdinal ?? Number(query.get("floor") ?? NaN);
    const initial = ordinals.find(({ ordinal }) => ordinal === requestedOrdinal) ?? initialFloor(ordinals);
    const featureCount = about.levels.reduce((sum, { features }) => sum + features, 0);
    // The map is set up while the floor is loading.
    const loading = preloading.then(() => page.load(initial?.ordinal));
    loading.catch(() => {});
    try {
        const maplibregl = await library;
        if (context.signal.aborted) return null;
        const options = { target, mode, appearance, basemap: about.basemap ?? null, featureCount };
        await page.open(maplibregl, loading, initial?.ordinal, query, options);
    } catch (error) {
        if (!(error instanceof MapLibraryMissing)) throw error;
        fill(context.root, emptyState({ title: localized("map.noLibrary"), text: localized("map.noLibraryHelp"), iconName: "map" }));
        return null;
    }
    return page;
}

/** What the server says about a venue; without a connection, what is stored of it: only the levels that can be shown. */
async function descriptionOf(live, response) {
    try {
        return await response;
    } catch (error) {
        const isUnreachable = error instanceof Problem && (error.status === 0 || error.status >= 500);
        if (isUnreachable && live.revision !== null) {
            const held = live.levels.filter(({ isHeld }) => isHeld);
            return { levels: held.map(({ level, ordinal, features }) => ({ level_id: level, ordinal, features })), isStored: true };
        }
        // Nobody who reads this browser later should see what the session may not read any more.
        if ([401, 403, 404, 410].includes(error.status)) await live.forget();
        throw error;
    }
}
