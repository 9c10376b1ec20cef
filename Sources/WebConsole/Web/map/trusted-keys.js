// The public keys with which a venue's map must be signed. A link brings them in the parameter `trust=`, and this browser remembers those
// of the first link, so that nobody who changes what the server, a cache or a mirror sends can replace them.

import { TrustedKeys } from "../client/sync/trust.js";
import { browserStorage } from "../storage.js";
import { emptyState } from "../ui/states.js";
import { localized } from "../localization/localization.js";

const storageKey = (venue) => `venuesync.trust.${venue}`;

/** The keys that this browser remembers for a venue; null for none. */
export function rememberedKeys(venue) {
    return browserStorage.get(storageKey(venue))?.split(",") ?? null;
}

/**
 * The keys to trust: `{keys}`, null if neither the link nor this browser has any. `{obstacle}`, an element to show instead of the map, if
 * the browser cannot use the keys of the link, or remembers others.
 */
export async function trustedKeys(venue, query) {
    const offered = (query.get("trust") ?? "").split(",").filter((key) => key !== "");
    const remembered = rememberedKeys(venue);
    if (offered.length === 0) return { keys: remembered };
    try {
        await TrustedKeys.of(offered);
    } catch {
        return { obstacle: obstacle("trustUnusable") };
    }
    const remember = () => browserStorage.set(storageKey(venue), offered.join(","));
    if (remembered && !offered.every((key) => remembered.includes(key))) {
        const act = () => {
            remember();
            location.reload();
        };
        return { obstacle: obstacle("trustOthers", { label: localized("map.trustTheseInstead"), act }) };
    }
    if (!remembered) remember();
    return { keys: remembered ?? offered };
}

function obstacle(name, action) {
    return emptyState({
        title: localized(`map.${name}`), text: localized(`map.${name}Help`), iconName: "alert", isPage: true, action,
    });
}
