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
import { levelOfFeature, linkTarget, storedLinkTarget } from "./link-target.js";
import { localized } from "../localization/localization.js";
import { MapController } from "./map-controller.js";
import { mapMode } from "./map-mode.js";
import { pause } from "../retry.js";
import { trustedKeys } from "./trusted-keys.js";

/** How long a stored map waits for the server, in milliseconds: on a dead line, a request does not fail for much longer. */
const storedMapDelay = 1_000;

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
    // On a slow network, the outlines of the floors come first, in a request of their own, so that there is something to look at.
    // The page does not need them: the request for the floor decides.
    const outlines = isSlowNetwork() && live.revision === null ? page.load().catch(() => null) : null;
    const preloading = Promise.resolve(outlines).then(() => (isFloorUnknown ? null : page.load(likelyOrdinal)));
    preloading.catch(() => {});
    const about = await descriptionOf(live, description, context.signal).catch((error) => error);
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
    const chosen = about.isStored ? rememberedAppearance(venue) : about.appearance;
    const appearance = new Appearance(chosen);
    const changeTheme = applyTheme(appearance, context.signal);
    if (!about.isStored) rememberAppearance(venue, about);
    else {
        followDescription(venue, live, description, context.signal, (late) => {
            if (JSON.stringify(late.appearance ?? null) !== JSON.stringify(chosen)) changeTheme(new Appearance(late.appearance));
        });
    }
    const ordinals = about.levels.filter(({ ordinal }) => Number.isInteger(ordinal)).map(({ ordinal }) => ({ ordinal }));
    const target = mode.isKiosk ? null
        : await (about.isStored ? storedLinkTarget(live, about, query) : linkTarget(venue, about, query, context.signal));
    const level = about.isStored ? live.feature(query.get("place")?.toLowerCase())?.level : await placeLevel;
    const placeOrdinal = about.levels.find(({ level_id: id }) => id !== null && id === level)?.ordinal;
    const requestedOrdinal = target?.ordinal ?? placeOrdinal ?? Number(query.get("floor") ?? NaN);
    const initial = ordinals.find(({ ordinal }) => ordinal === requestedOrdinal) ?? initialFloor(ordinals);
    const featureCount = about.levels.reduce((sum, { features }) => sum + features, 0);
    // The map is set up while the floor is loading. A stored one is there, whatever the floor of the URL waits for.
    const loading = (about.isStored ? Promise.resolve() : preloading).then(() => page.load(initial?.ordinal));
    loading.catch(() => {});
    try {
        const maplibregl = await library;
        if (context.signal.aborted) return null;
        const options = { outlines, target, mode, appearance, basemap: about.basemap ?? null, featureCount };
        await page.open(maplibregl, loading, initial?.ordinal, query, options);
    } catch (error) {
        if (!(error instanceof MapLibraryMissing)) throw error;
        fill(context.root, emptyState({ title: localized("map.noLibrary"), text: localized("map.noLibraryHelp"), iconName: "map" }));
        return null;
    }
    return page;
}

/** Whether the browser estimates that the network is slow. Not all browsers estimate it. */
const isSlowNetwork = () => ["slow-2g", "2g", "3g"].includes(navigator.connection?.effectiveType);

/**
 * What the server says about a venue. If it cannot be reached, or has not said anything for a while, what is stored of the venue: only the
 * levels that can be shown.
 */
async function descriptionOf(live, response, signal) {
    try {
        if (live.revision === null) return await response;
        return await Promise.race([response, pause(storedMapDelay, signal).then(() => storedDescription(live))]);
    } catch (error) {
        const isUnreachable = error instanceof Problem && (error.status === 0 || error.status >= 500);
        if (isUnreachable && live.revision !== null) return storedDescription(live);
        if (isForbidden(error)) await live.forget();
        throw error;
    }
}

function storedDescription(live) {
    const held = live.levels.filter(({ isHeld }) => isHeld);
    return { levels: held.map(({ level, ordinal, features }) => ({ level_id: level, ordinal, features })), isStored: true };
}

/** A late description of a stored map, for `update`. What the session may not read any more is not shown any longer. */
async function followDescription(venue, live, response, signal, update) {
    try {
        const about = await response;
        if (signal.aborted) return;
        rememberAppearance(venue, about);
        update(about);
        const required = requiredPage(about);
        if (required) location.replace(required);
    } catch (error) {
        if (!isForbidden(error) || signal.aborted) return;
        await live.forget();
        location.reload();
    }
}

/** Nobody who reads this browser later should see what the session may not read any more. */
const isForbidden = ({ status }) => [401, 403, 404, 410].includes(status);
